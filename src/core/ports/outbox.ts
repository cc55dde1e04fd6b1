/** The ports of the outbox: the store, which keeps events until their receivers have them, and the sender of webhooks. */
import type { Id } from '../model/id.js';
import type { OffsetSlice } from '../model/page.js';
import type { Timestamp } from '../model/timestamp.js';
import type { Delivery, OutboxEvent, Receiver } from '../model/webhook.js';

export type NewReceiver = Omit<Receiver, 'id' | 'status' | 'createdAt'>;

/** The pending deliveries of a receiver, or as many of them as a step counts. */
export interface WaitingDeliveries {
  readonly receiverId: Id;
  readonly count: number;
  /** The time of the first event. */
  readonly oldest: Timestamp;
  /** The id of the last delivery that was counted. */
  readonly last: Id;
}

/** The result of one step of a longer task. */
export interface OutboxStep {
  readonly count: number;
  /** Where the next step goes on; undefined after the last one. */
  readonly last: Id | undefined;
}

/**
 * An event is stored in the step of its write, once for each active receiver that wants it. A receiver may have
 * millions of deliveries, so work on all of them is done in steps, between which others read and write: call the method until it is done.
 */
type ReceiverChange = Partial<Pick<Receiver, 'url' | 'secrets' | 'status'>>;

export interface OutboxStore {
  /** Stores an event, in the transaction of its write. Nothing may depend on it before the transaction ends. */
  publish(event: OutboxEvent): Promise<void>;

  /** Ascending by id: all, or the active ones with a delivery that is due at this time. */
  receivers(dueAt?: Timestamp): Promise<readonly Receiver[]>;

  find(id: string): Promise<Receiver | undefined>;

  /** Creates an active receiver, or returns the consumer that has this name already, in one step. */
  create(receiver: NewReceiver, now: Timestamp): Promise<Receiver>;

  /** Changes a receiver in one step, also by a function of what is stored then. Nothing of a disabled one is claimed. */
  change(
    id: string,
    change: ReceiverChange | ((receiver: Receiver) => ReceiverChange),
  ): Promise<'changed' | 'not-found'>;

  /** Disables a receiver and deletes deliveries of it, at most `limit`; with the last ones the receiver. */
  delete(id: string, limit: number): Promise<'deleted' | 'more' | 'not-found'>;

  /**
   * Claims pending deliveries of an active receiver that are due: until the lease ends, no other process gets them. A delivery waits until
   * all earlier ones about its subject have left the status `pending`. In one step, which may find none although the receiver has some.
   */
  claim(id: Id, now: Timestamp, leaseEnds: Timestamp, limit: number): Promise<readonly Delivery[]>;

  /** Stores what came of deliveries, as far as they are pending. @param outcome - with `isAttempt`, it was one more */
  settle(
    deliveryIds: readonly Id[],
    outcome: Partial<Pick<Delivery, 'status' | 'changedAt' | 'dueAt' | 'answer'>> & {
      readonly isAttempt?: boolean;
    },
  ): Promise<void>;

  /** Descending by id, unless the order is `oldest first`. @param status - only deliveries with it */
  listDeliveries(
    id: string,
    slice: OffsetSlice,
    status?: Delivery['status'],
    order?: 'newest first' | 'oldest first',
  ): Promise<readonly Delivery[]>;

  /** Counts the deliveries of a receiver after one, at most `limit`. @param status - as above */
  countDeliveries(
    id: string,
    after: Id | undefined,
    limit: number,
    status?: Delivery['status'],
  ): Promise<OutboxStep>;

  /** Counts pending deliveries in the order of their receivers and ids, those after a count, at most `limit`. Empty after the last ones. */
  countWaiting(
    after: Pick<WaitingDeliveries, 'receiverId' | 'last'> | undefined,
    limit: number,
  ): Promise<readonly WaitingDeliveries[]>;

  /** Makes failed deliveries pending and due, the oldest first and at most `limit`, or one that is not pending. @returns their number */
  redeliver(id: string, deliveryId: string | undefined, now: Timestamp, limit: number): Promise<number>;

  /** Makes pending deliveries after one due, at most `limit`, unless they are claimed. @returns how many are pending */
  hasten(id: string, after: Id | undefined, now: Timestamp, limit: number): Promise<OutboxStep>;

  /** Makes the first pending delivery about the subject of this pending one due, unless it is claimed: this one waits for it. */
  hastenOne(id: string, deliveryId: string, now: Timestamp): Promise<'hastened' | 'not-found'>;

  /**
   * Deletes deliveries of events before this time that are not pending, or whose receiver is disabled, oldest first.
   *
   * @returns their number, at most `limit`
   */
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
