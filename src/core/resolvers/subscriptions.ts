/** The subscriptions of the GraphQL schema. */

import type { SubscriptionResolvers } from '../../../generated/graphql.js';
import type { Post } from '../model/post.js';
import type { GraphqlContext, GraphqlServices } from './context.js';

export function subscriptions({ posts }: GraphqlServices): Required<SubscriptionResolvers<GraphqlContext>> {
  return {
    postAdded: {
      subscribe: (_, _arguments, { caller }) => posts.subscribeAdded(caller),
      // A caller may lose a right while a subscription is open: each event is then an error.
      resolve: (post: Post, _: unknown, { caller }: GraphqlContext) => {
        posts.requireRead(caller, post);
        return post;
      },
    },
  };
}
