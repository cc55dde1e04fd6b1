/** The events port: broadcasts from one process of a deployment to all of them. */
import type { Id } from '../model/id.js';
import type { Timestamp } from '../model/timestamp.js';

/**
 * The core's kinds of events. `POST_ADDED` carries the id of a stored post, and `USER_CHANGED` that of a user whose rights may have
 * changed, or `0` for all users.
 */
export type Topic = 'POST_ADDED' | 'USER_CHANGED';

/** A listener, which the adapter calls: its methods must not throw, and should defer long work. */
export interface EventListener {
  /** Called once per event. */
  received(id: Id): void;
  /** Called when a lost connection to the broker is restored: events that were published since this moment may have been missed. */
  interrupted(since: Timestamp): void;
}

/**
 * One process's access to the events of the deployment.
 *
 * - An event whose `publish` resolved is received exactly once by every listener of its topic, in every process whose
 *   connection is up. All listeners receive all events in the same order; those of one publisher in the order in which they
 *   were published.
 * - Events are not kept: a listener that subscribes later, or whose process has no connection, does not receive them. The
 *   adapter restores a lost connection, and then calls `interrupted`.
 * - An event whose `publish` was rejected may still be received, late or twice: an adapter that has reconnected publishes the last
 *   such event again.
 *
 * `eventsChecks` of `@concordat/core/conformance` checks this.
 *
 * @typeParam More the application's own topics, whose names have at most 63 bytes; the `id` of their events is any text of under 8,000 bytes
 */
export interface Events<More extends string = never> {
  /** Resolves when the broker has accepted the event. @throws ServiceError `unavailable`, also after `close` */
  publish(topic: Topic | More, id: Id): Promise<void>;

  /**
   * Resolves when every later event will be received. A process subscribes to a topic once, for all of its listeners.
   *
   * @returns a function that ends the subscription at once; calling it again does nothing
   * @throws ServiceError `unavailable`, also after `close`
   */
  subscribe(topic: Topic | More, listener: EventListener): Promise<() => void>;

  /**
   * Resolves when the broker answers and this process has received all events that were accepted before the call; rejects with `unavailable` otherwise,
   * also after `close`.
   */
  ping(): Promise<void>;

  /** Closes connections once pending calls are done. It may be called twice. */
  close(): Promise<void>;
}

/** Observes the connection of an adapter, for the log. */
export interface EventsObserver {
  /** The connection is lost; the adapter tries to reconnect until it succeeds. */
  lost(cause: unknown): void;
  /** The connection is restored. Events published by other processes since this moment may have been missed. */
  restored(since: Timestamp): void;
}
