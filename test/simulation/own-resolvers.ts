/** The fields of a deployer's own schema: their resolvers return promises that settle turns later, also after their query has ended. */

import { setImmediate as turn } from 'node:timers/promises';
import { ServiceError, type Services } from '@concordat/core';
import { type ServiceResolvers, createResolvers } from '@concordat/core/graphql';
import { typeDefs as coreTypeDefs } from '../../generated/schema.js';

export const typeDefs = `${coreTypeDefs}
extend type Query {
  """
  A number after so many turns of the event loop; an error in place of a negative one.
  """
  slow(turns: Int!): Int!

  """
  As many numbers, each of which is awaited on its own.
  """
  slowList(turns: [Int!]!): [Int!]
}`;

async function later(turns: number): Promise<number> {
  for (let left = Math.abs(turns); left > 0; left -= 1) await turn();
  if (turns < 0) throw new ServiceError('not-found', 'The number is not there');
  return turns;
}

export function resolvers(services: Services): ServiceResolvers {
  const core = createResolvers(services);
  const own = {
    slow: (_: unknown, { turns }: { readonly turns: number }) => later(turns),
    slowList: async (_: unknown, { turns }: { readonly turns: readonly number[] }) => {
      await turn();
      return turns.map(later);
    },
  };
  return { ...core, Query: { ...core.Query, ...own } };
}
