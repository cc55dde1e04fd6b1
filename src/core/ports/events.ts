/** The events port: what one process of a deployment tells all of them. */
import type { Id } from '../model/id.js';
import type { Timestamp } from '../model/timestamp.js';

/** What can be told about. `POST_ADDED` carries the id of a post that is stored. */
export type Topic = 'POST_ADDED';

/** Called from within the adapter: it must not throw, and has the work done elsewhere if there is much. */
export interface EventListener {
  /** Once for each event. */
  received(id: Id): void;
  /**
   * The connection to the broker was lost and stands again: events that were published between this moment and now may
   * not have been received.
   */
  interrupted(since: Timestamp): void;
}

/**
 * One process's access to the events of the deployment.
 *
 * - An event whose `publish` resolved is received exactly once by every listener of its topic, in every process whose
 *   connection stands, and listeners receive all events in one and the same order; those of one publisher in the order
 *   in which they were published.
 * - Events are not kept: who subscribes later, or has no connection, does not receive them. A lost connection is made good by
 *   the adapter, which then calls `interrupted`.
 * - An event whose `publish` was rejected may be received all the same, late or twice: an adapter that has its broker back
 *   publishes the last of them again.
 *
 * `eventsChecks` of `@concordat/core/conformance` checks this.
 */
export interface Events {
  /** Resolves when the broker has taken the event. @throws ServiceError `unavailable`, also after `close` */
  publish(topic: Topic, id: Id): Promise<void>;

  /**
   * Resolves when every event that is published from now on will be received. However many listeners a process has, it
   * subscribes to a topic once.
   *
   * @returns ends the subscription at once; calling it again does nothing
   * @throws ServiceError `unavailable`, also after `close`
   */
  subscribe(topic: Topic, listener: EventListener): Promise<() => void>;

  /** Resolves when the broker answers; rejects with `unavailable` otherwise, also after `close`. */
  ping(): Promise<void>;

  /** Lets go of connections once the calls under way are done. Closing twice is closing once. */
  close(): Promise<void>;
}

/** Is told what happens to the connection of an adapter: for the log. */
export interface EventsObserver {
  /** The connection is lost; the adapter tries to connect again until it can. */
  lost(cause: unknown): void;
  /** The connection stands again. Events published by other processes since this moment may have been missed. */
  restored(since: Timestamp): void;
}
