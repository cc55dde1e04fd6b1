/** The imports of the memory storage. */
import { emailKey } from '../../model/user.js';
import type { ImportEntry, ImportStore } from '../../ports/import-store.js';
import { addEntries } from './audit.js';
import { addOrder } from './orders.js';
import { addProduct } from './products.js';
import type { Tables } from './tables.js';
import { addUser } from './users.js';

/** All records are collected first; after that nothing is awaited, so each import is atomic. */
export function memoryImports(tables: Tables): ImportStore {
  function imported(count: number, entryOf?: ImportEntry): number {
    if (entryOf) addEntries(tables, [entryOf(count)]);
    return count;
  }

  return {
    async users(users, entryOf) {
      const all = await gathered(users);
      const taken = new Set(tables.userIdsByEmail.keys());
      const position = all.findIndex(({ email }) => {
        const isTaken = taken.has(emailKey(email));
        taken.add(emailKey(email));
        return isTaken;
      });
      if (position >= 0) return { position, reason: 'email-taken' };
      for (const { createdAt, updatedAt, ...user } of all) addUser(tables, user, createdAt, updatedAt);
      return imported(all.length, entryOf);
    },

    async products(products, entryOf) {
      const all = await gathered(products);
      for (const { categories, ...product } of all) addProduct(tables, product, categories);
      return imported(all.length, entryOf);
    },

    async orders(orders, entryOf) {
      const all = await gathered(orders);
      const position = all.findIndex(({ userId }) => tables.users.get(userId) === undefined);
      if (position >= 0) return { position, reason: 'user-not-found' };
      for (const order of all) addOrder(tables, order);
      return imported(all.length, entryOf);
    },
  };
}

async function gathered<T>(records: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const record of records) all.push(record);
  return all;
}
