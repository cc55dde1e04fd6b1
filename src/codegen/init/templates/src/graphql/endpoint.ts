/** The schema with its resolvers at `/graphql`: JSON, and server-sent events for subscriptions. */

import { makeExecutableSchema } from '@graphql-tools/schema';
import { graphqlEngine, graphqlHttp } from '@concordat/runtime/graphql';
import * as constraints from '__GENERATED__/constraints.js'; // with CONSTRAINTS
import { typeDefs } from '__GENERATED__/schema.js';
import type { Context } from './context.js';
import { resolvers } from './resolvers.js';

export const engine = graphqlEngine<Context>({
  schema: makeExecutableSchema({ typeDefs, resolvers }),
  constraints, // with CONSTRAINTS
  // A `Problem` is sent with its code; other errors are masked, and reported.
  explain: () => undefined,
  report: console.error,
});

/** Identifies the caller of a request or of a WebSocket. */
export const openSession = () => ({ context: undefined });

export const endpoint = graphqlHttp(engine, { openSession });
