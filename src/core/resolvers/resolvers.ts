/** Every resolver of the schema, over the services. */

import type { Resolvers, UserResolvers } from '../../../generated/graphql.js';
import type { GraphqlContext, GraphqlServices } from './context.js';
import { postFields, postMutations, postQueries, postSubscriptions } from './posts.js';
import { userFields, userMutations, userQueries } from './users.js';

/** The email has a resolver although the record has it, because the policy decides who may see it. */
export type ServiceResolvers = Resolvers<GraphqlContext> & {
  readonly User: Required<Pick<UserResolvers<GraphqlContext>, 'email'>>;
};

/**
 * Makes the resolvers of the contract, for another GraphQL server than `serviceGraphqlEngine`. The context of each operation
 * is one of its own, from `makeContext`.
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
    User: userFields(services),
    Post: postFields,
  };
}
