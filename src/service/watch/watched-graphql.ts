/** Wraps a GraphQL engine so that its operations are measured over every transport. */

import type { FormattedExecutionResult } from 'graphql';
import type { GraphqlEngine, PreparedOperation } from '@concordat/runtime/graphql';
import type { Metrics } from './metrics.js';

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
