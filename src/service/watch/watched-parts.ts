/** Measures the events, the limiters and the caches of the service. */

import type { AttemptLimiter, Events, Post, Services, TokenCodec } from '@concordat/core';
import type { Metrics } from './metrics.js';
import { idOf, type Spans } from './spans.js';

/** @param spans - undefined for events whose ids others read, and without a registered SDK */
export function watchedEvents(events: Events, metrics: Metrics, spans?: Spans): Events {
  const published = (topic: Parameters<Events['publish']>[0], outcome: 'ok' | 'failed') =>
    metrics.measure('eventsPublished', topic, outcome);
  // From the start: an alert on the increase of failures would not see the first one.
  published('POST_ADDED', 'failed');
  return {
    async publish(topic, id) {
      const send = (text: string): Promise<void> => events.publish(topic, text);
      try {
        await (spans === undefined ? send(id) : spans.ofPublishing(topic, id, send));
        published(topic, 'ok')();
      } catch (error) {
        published(topic, 'failed')();
        throw error;
      }
    },
    subscribe(topic, listener) {
      const count = metrics.measure('eventsReceived', topic);
      return events.subscribe(topic, {
        received(text) {
          count();
          if (spans === undefined) listener.received(idOf(text));
          else spans.ofReceiving(topic, text, (id) => listener.received(id));
        },
        interrupted: (since) => listener.interrupted(since),
      });
    },
    ping: () => events.ping(),
    close: () => events.close(),
  };
}

export type LimiterKind = 'request' | 'sign-in' | 'sign-up';

/** @param kind - of the attempts */
export function watchedLimiter(limiter: AttemptLimiter, kind: LimiterKind, metrics: Metrics): AttemptLimiter {
  const refused = metrics.measure('limiterRefusals', kind);
  const counted = (wait: number | undefined): number | undefined => {
    if (wait !== undefined) refused();
    return wait;
  };
  return {
    take: async (key) => counted(await limiter.take(key)),
    blockedFor: async (key) => counted(await limiter.blockedFor(key)),
    giveBack: (key) => limiter.giveBack(key),
  };
}

/** Measures the time from the creation of each post to its delivery. */
export function deliveryMeasure(metrics: Metrics): (post: Post) => void {
  const measure = metrics.measure('eventLag');
  // Clocks of two machines may differ by more than the lag.
  return ({ createdAt }) => measure(Math.max(0, Date.now() - Date.parse(createdAt)) / 1000);
}

/** Reads the queues of the subscribers, and the cache of verified tokens if there is one. */
export function readStates({ posts }: Services, { cache }: TokenCodec, metrics: Metrics): void {
  metrics.read('subscribers', () => [[posts.feedState.subscribers]]);
  metrics.read('queuedPosts', () => [[posts.feedState.waiting]]);
  metrics.read('longestQueue', () => [[posts.feedState.longest]]);
  if (cache === undefined) return;
  metrics.read('tokens', () => [[cache.size]]);
  metrics.read('tokenLookups', () => [
    [cache.hits, 'hit'],
    [cache.misses, 'miss'],
  ]);
}
