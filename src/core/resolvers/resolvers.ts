/** Every resolver of the schema, over the services. */

import type { Resolvers } from '../../../generated/graphql.js';
import type { GraphqlContext, GraphqlServices } from './context.js';
import { postFields, postMutations, postQueries } from './posts.js';
import { subscriptions } from './subscriptions.js';
import { userFields, userMutations, userQueries } from './users.js';

type Resolved = { readonly [Type in keyof Resolvers]-?: NonNullable<Resolvers<GraphqlContext>[Type]> };

/**
 * A field of the roots needs a resolver; so does a field of any other type unless what it is resolved from has it. A field
 * that the schema gains does not compile until it is written here. The email has a resolver although the record has it,
 * because not everybody may see it.
 */
export type ServiceResolvers = Resolved & {
  readonly Query: Required<Resolved['Query']>;
  readonly Mutation: Required<Resolved['Mutation']>;
  readonly Subscription: Required<Resolved['Subscription']>;
  readonly User: Required<Omit<Resolved['User'], 'id' | 'name'>>;
  readonly Post: Required<Omit<Resolved['Post'], 'id' | 'title' | 'content'>>;
};

/** Makes the resolvers of the contract. */
export function createResolvers(services: GraphqlServices): ServiceResolvers {
  return {
    Query: { ...userQueries(services), ...postQueries(services) },
    Mutation: { ...userMutations(services), ...postMutations(services) },
    Subscription: subscriptions(services),
    User: userFields(services),
    Post: postFields,
  };
}
