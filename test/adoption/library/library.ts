/** A library: its books are products on shelves, and an order lends books, each to one member at a time. */

import { type Services, ServiceError, type WriteHooks } from '@concordat/core';
import { type ServiceResolvers, createResolvers } from '@concordat/core/graphql';
import { kyselyOf } from '@concordat/core/kysely';
import { type Service, type ServiceOptions, createService } from '@concordat/service';
import type { Resolvers } from './generated/graphql.js';
import { typeDefs } from './generated/schema.js';

/** The library's own table, which `loans.sql` creates. */
interface Tables {
  loans: { book: string; order_id: string };
}

const hooks: WriteHooks = {
  'users.create': {
    before: (_, input) => ({
      ...input,
      stored: { ...input.stored, memberSince: new Date().toISOString().slice(0, 10) },
    }),
  },
  'products.write': {
    before(_, input) {
      if (input === undefined || 'categories' in input) return;
      const digits = Array.from(input.stored?.isbn ?? '', Number);
      const sum = digits.reduce((total, digit, index) => total + digit * (index % 2 === 0 ? 1 : 3), 0);
      if (sum % 10 !== 0) throw new ServiceError('invalid-input', 'body/isbn has a wrong check digit');
    },
  },
};

function resolvers(services: Services): Resolvers & ServiceResolvers {
  const core = createResolvers(services);
  /** In place of the table, if there is no database. */
  const lent = new Map<string, string>();

  return {
    ...core,
    Query: {
      ...core.Query,
      shelfOf: async (_, { productId }, { caller }) =>
        (await services.products.get(caller, productId)).stored?.shelf,
    },
    Mutation: {
      ...core.Mutation,
      lend: (_, { userId, books }, { caller }) =>
        services.transaction(caller, async ({ orders }, tx) => {
          const items = books.map((name) => ({ name, unitPrice: 0, quantity: 1 }));
          const { id } = await orders.create(caller, { userId, items });
          const rows = books.map((book) => ({ book, order_id: id }));
          const loans = tx.database && kyselyOf<Tables>(tx).insertInto('loans').values(rows);
          const added = await loans
            ?.onConflict((each) => each.doNothing())
            .returning('book')
            .execute();
          const isFree = (book: string) => added?.some((row) => row.book === book) ?? !lent.has(book);
          const refused = books.find((book) => !isFree(book));
          if (refused !== undefined) throw new ServiceError('forbidden', `${refused} is lent`);
          if (tx.database === undefined) for (const book of books) lent.set(book, id);
          return id;
        }),
      async giveBack(_, { order }, { caller }) {
        await services.transaction(caller, async ({ orders }, tx) => {
          await orders.delete(caller, order);
          if (tx.database !== undefined)
            await kyselyOf<Tables>(tx).deleteFrom('loans').where('order_id', '=', order).execute();
        });
        for (const [book, id] of lent) if (id === order) lent.delete(book);
        return true;
      },
    },
  };
}

/** @param contract - the path of `library.yaml` */
export function createLibrary(contract: string, options: ServiceOptions): Promise<Service> {
  return createService({ ...options, contract, hooks, graphql: { typeDefs, resolvers } });
}
