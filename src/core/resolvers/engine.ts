/** The service's schema as an engine, ready for any transport. */

import { makeExecutableSchema } from '@graphql-tools/schema';
import type { GraphQLSchema } from 'graphql';
import { typeDefs } from '../../../generated/schema.js';
import { type GraphqlEngine, type GraphqlEngineOptions, graphqlEngine } from 'concordat/graphql';
import type { GraphqlContext, GraphqlServices } from './context.js';
import { explainToClients } from './error-codes.js';
import { type ServiceResolvers, createResolvers } from './resolvers.js';

export interface ServiceGraphqlOptions extends Omit<
  GraphqlEngineOptions,
  'schema' | 'explain' | 'isInterchangeable' | 'begin'
> {
  readonly services: GraphqlServices;
}

/**
 * Makes the engine of the service's schema and resolvers.
 *
 * @example
 * ```ts
 * const engine = serviceGraphqlEngine({ services, report: console.error, compile: graphqlJit });
 * const operation = engine.prepare({ query: '{ users { name } }' });
 * ```
 */
export function serviceGraphqlEngine({
  services,
  ...options
}: ServiceGraphqlOptions): GraphqlEngine<GraphqlContext> {
  const schema = executableSchema(createResolvers(services));
  return graphqlEngine<GraphqlContext>({
    ...options,
    schema,
    explain: explainToClients,
    isInterchangeable: ({ caller }) => caller.kind === 'anonymous',
    begin: ({ budget }, running) => budget.begin(running),
  });
}

/** @throws an error that names a field without a resolver, or a resolver without a field */
export function executableSchema(resolvers: ServiceResolvers): GraphQLSchema {
  return makeExecutableSchema({
    typeDefs,
    resolvers,
    resolverValidationOptions: {
      requireResolversToMatchSchema: 'error',
      requireResolversForArgs: 'error',
      requireResolversForNonScalar: 'error',
    },
  });
}
