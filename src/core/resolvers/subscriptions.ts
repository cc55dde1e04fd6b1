/** What GraphQL clients are told as it happens. */

import type { SubscriptionResolvers } from '../../../generated/graphql.js';
import { ServiceError } from '../model/error.js';
import type { Post } from '../model/post.js';
import type { Services } from '../services/services.js';
import type { GraphqlContext } from './context.js';

export function subscriptions(_services: Services): Required<SubscriptionResolvers<GraphqlContext>> {
  return {
    postAdded: {
      subscribe: () => {
        throw new ServiceError('not-implemented', 'This service does not publish events');
      },
      resolve: (post: Post) => post,
    },
  };
}
