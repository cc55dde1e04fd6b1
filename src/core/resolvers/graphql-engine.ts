/** The service's schema with its resolvers as an engine, ready for any transport. */
import { makeExecutableSchema } from '@graphql-tools/schema';
import type { GraphQLSchema } from 'graphql';
import {
  type ErrorExplanation,
  type GraphqlEngine,
  type GraphqlEngineOptions,
  graphqlEngine,
} from 'concordat/graphql';
import { typeDefs } from '../../../generated/schema.js';
import type { Resolvers } from '../../../generated/graphql.js';
import { type ErrorCode, ServiceError } from '../model/error.js';
import type { GraphqlContext, GraphqlServices } from './graphql-context.js';
import { postFields, postMutations, postQueries, postSubscriptions } from './posts.js';
import { type GuardedUserFields, guardedUserFields, userMutations, userQueries } from './users.js';

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
 * const engine = serviceGraphqlEngine({ services, report: console.error, compile: compileQuery });
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

/** Maps every error code of the core to a GraphQL code, in one total table. */
const CODE = {
  'invalid-input': 'BAD_USER_INPUT',
  unauthenticated: 'UNAUTHENTICATED',
  forbidden: 'FORBIDDEN',
  'not-found': 'NOT_FOUND',
  conflict: 'CONFLICT',
  'precondition-failed': 'CONFLICT',
  'key-reused': 'CONFLICT',
  'limit-exceeded': 'LIMIT_EXCEEDED',
  'too-many-requests': 'LIMIT_EXCEEDED',
  unavailable: 'SERVICE_UNAVAILABLE',
  'storage-full': 'SERVICE_UNAVAILABLE',
  'outcome-unknown': 'INTERNAL_SERVER_ERROR',
  'not-implemented': 'NOT_IMPLEMENTED',
} as const satisfies Record<ErrorCode, string>;

/** The `extensions.code` and message for an error of the core; undefined for any other error, which is masked. */
function explainToClients(error: unknown): ErrorExplanation | undefined {
  return error instanceof ServiceError ? { code: CODE[error.code], message: error.message } : undefined;
}

/** Most fields of a user have a resolver although the record has them, because the policy decides who may see them. */
export type ServiceResolvers = Resolvers<GraphqlContext> & {
  readonly User: GuardedUserFields;
};

/**
 * Makes the resolvers of the contract, for a GraphQL server other than `serviceGraphqlEngine`. Each operation needs its own context
 * from `makeContext`.
 *
 * @example
 * ```ts
 * const schema = makeExecutableSchema({ typeDefs, resolvers: createResolvers(services) });
 * const context = makeContext(services, caller);
 * ```
 */
export function createResolvers(services: GraphqlServices): ServiceResolvers {
  return {
    Query: { ...userQueries(services), ...postQueries(services) },
    Mutation: { ...userMutations(services), ...postMutations(services) },
    Subscription: postSubscriptions(services),
    User: guardedUserFields(services),
    Post: postFields,
  };
}
