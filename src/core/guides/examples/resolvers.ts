// resolvers.ts
import { type Events, type Id, type Services, type User, subscribeTo } from '@concordat/core';
import { type ServiceResolvers, createResolvers } from '@concordat/core/graphql';
import type { Resolvers } from './generated/graphql.js';

/** The resolvers of the core and your own, which read and write a stored field. */
export function shopResolvers(
  services: Services,
  events: Events<'STOCK_COUNTED'>,
): Resolvers & ServiceResolvers {
  const core = createResolvers(services);
  const pointsOf = (user: User): number => user.stored?.points ?? 0;

  return {
    ...core,
    User: {
      ...core.User,
      loyalty: (user) => (pointsOf(user) === 0 ? null : { points: pointsOf(user) }),
    },
    Query: {
      ...core.Query,
      loyalUsers: async (_, _arguments, { caller }) =>
        (await services.users.listAll(caller)).filter((user) => pointsOf(user) > 0),
    },
    Mutation: {
      ...core.Mutation,
      async givePoints(_, { userId, points: given }, { caller }) {
        const points = pointsOf(await services.users.get(caller, userId)) + given;
        return services.users.update(caller, userId, {
          name: undefined,
          email: undefined,
          stored: { points },
        });
      },
    },
    Subscription: {
      ...core.Subscription,
      stockCounted: {
        subscribe: () => subscribeTo(events, 'STOCK_COUNTED'),
        resolve: (productId: Id) => productId,
      },
    },
  };
}
