/** What GraphQL clients are told as it happens. */

import type { SubscriptionResolvers } from '../../../generated/graphql.js';
import type { Post } from '../model/post.js';
import type { GraphqlContext, GraphqlServices } from './context.js';

export function subscriptions({ posts }: GraphqlServices): Required<SubscriptionResolvers<GraphqlContext>> {
  return {
    postAdded: {
      subscribe: (_, _arguments, { caller }) => posts.subscribeAdded(caller),
      // Rights may be lost while a subscription is open: each event then says so, and shows nothing.
      resolve: (post: Post, _: unknown, { caller }: GraphqlContext) => {
        posts.requireRead(caller, post);
        return post;
      },
    },
  };
}
