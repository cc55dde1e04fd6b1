/** What GraphQL clients are told as it happens. */

import type { SubscriptionResolvers } from '../../../generated/graphql.js';
import type { Post } from '../model/post.js';
import type { Services } from '../services/services.js';
import type { GraphqlContext } from './context.js';

export function subscriptions({ posts }: Services): Required<SubscriptionResolvers<GraphqlContext>> {
  return {
    postAdded: {
      subscribe: (_, _arguments, { caller }) => posts.subscribeAdded(caller),
      // Rights may go while a subscription stands: each event then says so, and shows nothing.
      resolve: (post: Post, _: unknown, { caller }: GraphqlContext) => {
        posts.requireRead(caller);
        return post;
      },
    },
  };
}
