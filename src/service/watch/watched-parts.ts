/** Measures GraphQL, the events, the limiters and the caches of the service. */

import type { AttemptLimiter, Events, Post, Services, TokenCodec } from '@concordat/core';
import type { GraphqlEngine, PreparedOperation } from '@concordat/runtime/graphql';
import type { FormattedExecutionResult } from 'graphql';
import type { Metrics } from './metrics.js';
import { type Spans, idOf } from './tracing.js';

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

export type LimiterKind = 'request' | 'sign-in' | 'sign-up' | 'console';

/** @param kind - of the attempts */
export function watchedLimiter(limiter: AttemptLimiter, kind: LimiterKind, metrics: Metrics): AttemptLimiter {
  const refused = metrics.measure('limiterRefusals', kind);
  const counted = (wait: number | undefined): number | undefined => {
    if (wait !== undefined) refused();
    return wait;
  };
  return {
    take: async (key, times) => counted(await limiter.take(key, times)),
    blockedFor: async (key, times) => counted(await limiter.blockedFor(key, times)),
    giveBack: (key, times) => limiter.giveBack(key, times),
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

/** Measures queries and mutations by name, type and outcome. A subscription is measured once, when it starts. */
export function watchedGraphql<Context>(
  engine: GraphqlEngine<Context>,
  metrics: Metrics,
): GraphqlEngine<Context> {
  metrics.read('documents', () => [[engine.cache.documents]]);
  metrics.read('documentBytes', () => [[engine.cache.bytes]]);
  metrics.read('documentLookups', () => [
    [engine.cache.hits, 'hit'],
    [engine.cache.misses, 'miss'],
  ]);

  /** @returns a function to call with the result */
  function start({ name, type }: PreparedOperation): (result: FormattedExecutionResult) => void {
    const started = performance.now();
    return ({ errors }) => {
      metrics.graphqlEnded(name, type, errors !== undefined, (performance.now() - started) / 1000);
    };
  }

  return {
    get cache() {
      return engine.cache;
    },
    prepare: (parameters) => {
      const prepared = engine.prepare(parameters);
      // The codes are those of the engine.
      if ('errors' in prepared)
        metrics.measure('graphqlRefusals', String(prepared.errors[0].extensions?.['code']))();
      return prepared;
    },
    execute: (operation, ...parameters) => {
      const end = start(operation);
      return passedOn(engine.execute(operation, ...parameters), end);
    },
    executeToJson: (operation, ...parameters) => {
      const end = start(operation);
      return passedOn(engine.executeToJson(operation, ...parameters), ({ result }) => {
        end(result);
      });
    },
    subscribe: async (operation, variables, makeContext, headers) => {
      const started = performance.now();
      const stream = await engine.subscribe(operation, variables, makeContext, headers);
      const seconds = (performance.now() - started) / 1000;
      metrics.graphqlEnded(operation.name, operation.type, 'errors' in stream, seconds);
      return stream;
    },
    failure: (error, headers) => engine.failure(error, headers),
  };
}

/** Calls `see` with a value, or with the value of a promise. @returns the same value, or a promise of it */
function passedOn<Value>(value: Value | Promise<Value>, see: (value: Value) => void): Value | Promise<Value> {
  const seen = (settled: Value): Value => {
    see(settled);
    return settled;
  };
  return value instanceof Promise ? value.then(seen) : seen(value);
}
