/** The fields of a deployer's own schema: their resolvers return promises that settle turns later, also after their query has ended. */

import { setImmediate as turn } from 'node:timers/promises';
import { type Post, ServiceError, type Services } from '@concordat/core';
import { type GraphqlContext, type ServiceResolvers, createResolvers } from '@concordat/core/graphql';
import { typeDefs as coreTypeDefs } from '../../generated/schema.js';

export const typeDefs = `${coreTypeDefs}
extend type Query {
  """
  A number after so many turns of the event loop; an error in place of a negative one.
  """
  slow(turns: Int!): Int!

  """
  As many numbers, each of which is awaited on its own, after so many turns for the list.
  """
  slowList(start: Int!, turns: [Int!]!): [Int!]
}
extend type Post {
  """
  The post itself, which is read at once and returned after so many turns.
  """
  later(turns: Int!): Post
}`;

interface SlowList {
  readonly start: number;
  readonly turns: readonly number[];
}

async function later(turns: number): Promise<number> {
  for (let left = Math.abs(turns); left > 0; left -= 1) await turn();
  if (turns < 0) throw new ServiceError('not-found', 'The number is not there');
  return turns;
}

export function resolvers(services: Services): ServiceResolvers {
  const core = createResolvers(services);
  const query = {
    ...core.Query,
    slow: (_: unknown, { turns }: { readonly turns: number }) => later(turns),
    slowList: async (_: unknown, { start, turns }: SlowList) => {
      await later(start);
      return turns.map(later);
    },
  };
  const post = {
    ...core.Post,
    later: async ({ id }: Post, { turns }: { readonly turns: number }, { caller }: GraphqlContext) => {
      const post = await services.posts.get(caller, id);
      await later(turns);
      return post;
    },
  };
  return { ...core, Query: query, Post: post };
}
