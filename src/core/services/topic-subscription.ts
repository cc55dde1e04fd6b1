/** Turns the events of an application's own topic into an iterator, as the subscriptions of GraphQL need it. */

import { ServiceError } from '../model/error.js';
import type { Id } from '../model/id.js';
import type { Events, Topic } from '../ports/events.js';
import { BoundedQueue } from './posts/bounded-queue.js';
import { defaultSubscriberBounds } from './posts/post-feed.js';

/**
 * Subscribes to a topic. Leaving the iteration ends the subscription.
 *
 * @param waiting - the maximum number of events that may wait for the reader; 1,000 unless given
 * @returns the ids of all later events, once none can be missed. The iterator fails with `limit-exceeded` if it is read so slowly that
 *   more events wait, and with `unavailable` after a lost connection to the broker, because events may have been missed
 * @throws ServiceError `unavailable`
 *
 * @example
 * ```ts
 * const resolvers = { stockCounted: { subscribe: () => subscribeTo(events, 'STOCK_COUNTED'), resolve: (id: Id) => id } };
 * ```
 */
export async function subscribeTo<More extends string = never>(
  events: Events<More>,
  topic: Topic | More,
  waiting: number = defaultSubscriberBounds.items,
): Promise<AsyncIterableIterator<Id>> {
  const queue = new BoundedQueue<Id>({ items: waiting, bytes: Infinity }, () => {
    void subscription.then((leave) => {
      leave();
    });
  });
  const subscription = events.subscribe(topic, {
    received(id) {
      if (queue.hasRoom(0)) queue.push(id, 0);
      else queue.fail(new ServiceError('limit-exceeded', 'The subscriber reads too slowly'));
    },
    interrupted() {
      queue.fail(new ServiceError('unavailable', 'Events may have been missed'));
    },
  });
  await subscription;
  return queue;
}
