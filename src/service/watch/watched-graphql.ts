/** Wraps a GraphQL engine so that its operations are measured over every transport. */

import type { FormattedExecutionResult } from 'graphql';
import type { GraphqlEngine } from 'concordat/graphql';
import type { Metrics } from './metrics.js';

/** Counts queries and mutations by name and by whether they had errors; a subscription counts once, when it starts. */
export function watchedGraphql<Context>(
  engine: GraphqlEngine<Context>,
  metrics: Metrics,
): GraphqlEngine<Context> {
  return {
    prepare: (parameters) => engine.prepare(parameters),
    execute: (operation, variables, context, headers) => {
      const started = performance.now();
      const end = (result: FormattedExecutionResult): FormattedExecutionResult => {
        const seconds = (performance.now() - started) / 1000;
        metrics.graphqlEnded(operation.name, operation.type, result.errors !== undefined, seconds);
        return result;
      };
      const result = engine.execute(operation, variables, context, headers);
      return result instanceof Promise ? result.then(end) : end(result);
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
