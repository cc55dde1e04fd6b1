/** The types of the resolvers of __CONTRACT__. */

import type { Resolvers } from '__GENERATED__/graphql.js';

/** The third argument of every resolver. */
export type Context = undefined;

export type SchemaResolvers = Resolvers<Context>;
