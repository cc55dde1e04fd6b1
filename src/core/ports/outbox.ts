/** The ports of the outbox: the store, which keeps events until their receivers have them, and the sender of webhooks. */
import type { Id } from '../model/id.js';
import type { OffsetSlice } from '../model/page.js';
import type { Timestamp } from '../model/timestamp.js';
import type { Delivery, Receiver } from '../model/webhook.js';

/**
 * An event is stored in the step of its write, once for each active receiver that wants it: see `WriteStore`. Cascades: deliveries are
 * deleted with their receiver.
 */
export interface OutboxStore {
  /** Ascending by id: all, or those with a delivery that is due at this time, even if it waits for one before it. */
  receivers(dueAt?: Timestamp): Promise<readonly Receiver[]>;

  /** Creates an active receiver, or returns the consumer that has this name already, in one step. */
  create(receiver: Omit<Receiver, 'id' | 'status' | 'createdAt'>, now: Timestamp): Promise<Receiver>;

  /** Changes a receiver in one step. If it becomes disabled, its pending deliveries fail. */
  change(
    id: string,
    change: Partial<Pick<Receiver, 'secrets' | 'status'>>,
    now: Timestamp,
  ): Promise<'changed' | 'not-found'>;

  delete(id: string): Promise<'deleted' | 'not-found'>;

  /**
   * Claims pending deliveries of a receiver that are due: until the lease ends, no other process gets them. A delivery waits until all
   * earlier ones about its subject have left the status `pending`. In one step.
   */
  claim(id: Id, now: Timestamp, leaseEnds: Timestamp, limit: number): Promise<readonly Delivery[]>;

  /** Stores what came of deliveries, as far as they are pending. */
  settle(
    deliveryIds: readonly Id[],
    outcome: Partial<Pick<Delivery, 'status' | 'attempts' | 'changedAt' | 'dueAt' | 'answer'>>,
  ): Promise<void>;

  /** Descending by id. */
  listDeliveries(id: string, slice: OffsetSlice): Promise<readonly Delivery[]>;

  /** The number of a receiver's deliveries, or of all pending ones. */
  countDeliveries(id?: string): Promise<number>;

  /** Makes deliveries pending again, and due: one, unless it is pending, or all that failed. @returns their number */
  redeliver(id: string, deliveryId: string | undefined, now: Timestamp): Promise<number>;

  /** Deletes deliveries of events before this time that are not pending, oldest first. @returns their number, at most `limit` */
  deleteExpired(before: Timestamp, limit: number): Promise<number>;
}

export interface WebhookSender {
  /** Checks an address as `send` does. @returns why nothing is sent there, in words that continue "url …"; undefined if it is allowed */
  refusal(url: string): Promise<string | undefined>;

  /**
   * Sends a `POST`, once and without following a redirect.
   *
   * @returns the status of the answer
   * @throws an error whose message says why there is none
   */
  send(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<number>;

  /** Ends the look-ups of names at once, and cuts off, after the grace, what is on its way. @param graceMs - none unless given */
  close(graceMs?: number): void;
}
