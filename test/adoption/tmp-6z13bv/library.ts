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

function hooks(): WriteHooks {
  /** In place of the table, if there is no database. */
  const lent = new Map<string, string>();

  return {
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
    'orders.create': {
      async after({ id, items }, tx) {
        for (const { name } of items) {
          if (tx.database === undefined) {
            if (lent.has(name)) throw new ServiceError('forbidden', `${name} is lent`);
            lent.set(name, id);
            tx.onUndo(() => lent.delete(name));
          } else {
            const row = { book: name, order_id: id };
            const added = await kyselyOf<Tables>(tx)
              .insertInto('loans')
              .values(row)
              .onConflict((conflict) => conflict.doNothing())
              .executeTakeFirst();
            if (added.numInsertedOrUpdatedRows !== 1n) throw new ServiceError('forbidden', `${name} is lent`);
          }
        }
      },
    },
    'orders.delete': {
      async after({ id, items }, tx) {
        if (tx.database !== undefined)
          await kyselyOf<Tables>(tx).deleteFrom('loans').where('order_id', '=', id).execute();
        else
          for (const { name } of items) {
            lent.delete(name);
            tx.onUndo(() => lent.set(name, id));
          }
      },
    },
  };
}

function resolvers(services: Services): Resolvers & ServiceResolvers {
  const core = createResolvers(services);
  return {
    ...core,
    Query: {
      ...core.Query,
      shelfOf: async (_, { productId }, { caller }) =>
        (await services.products.get(caller, productId)).stored?.shelf,
    },
  };
}

/** @param contract - the path of `library.yaml` */
export function createLibrary(contract: string, options: ServiceOptions): Promise<Service> {
  return createService({ ...options, contract, hooks: hooks(), graphql: { typeDefs, resolvers } });
}
