/** The imports of the memory storage. */
import { emailKey } from '../../model/user.js';
import type {
  ImportedOrder,
  ImportedProduct,
  ImportedUser,
  ImportRefusal,
  ImportStore,
} from '../../ports/import-store.js';
import type { MemoryOrders } from './orders.js';
import type { MemoryProducts } from './products.js';
import type { Tables } from './tables.js';
import type { MemoryUsers } from './users.js';

/** All records are collected first; after that nothing is awaited, so each import is atomic. */
export class MemoryImports implements ImportStore {
  readonly #tables: Tables;
  readonly #users: MemoryUsers;
  readonly #products: MemoryProducts;
  readonly #orders: MemoryOrders;

  constructor(tables: Tables, users: MemoryUsers, products: MemoryProducts, orders: MemoryOrders) {
    this.#tables = tables;
    this.#users = users;
    this.#products = products;
    this.#orders = orders;
  }

  async users(users: AsyncIterable<ImportedUser>): Promise<number | ImportRefusal<'email-taken'>> {
    const all = await gathered(users);
    const before = new Set<string>();
    const position = all.findIndex(({ email }) => {
      const isTaken = this.#users.hasEmail(email) || before.has(emailKey(email));
      before.add(emailKey(email));
      return isTaken;
    });
    if (position >= 0) return { position, reason: 'email-taken' };
    for (const { createdAt, updatedAt, ...user } of all) this.#users.add(user, createdAt, updatedAt);
    return all.length;
  }

  async products(products: AsyncIterable<ImportedProduct>): Promise<number> {
    const all = await gathered(products);
    for (const { categories, ...product } of all) this.#products.add(product, categories);
    return all.length;
  }

  async orders(orders: AsyncIterable<ImportedOrder>): Promise<number | ImportRefusal<'user-not-found'>> {
    const all = await gathered(orders);
    const position = all.findIndex(({ userId }) => this.#tables.users.get(userId) === undefined);
    if (position >= 0) return { position, reason: 'user-not-found' };
    for (const order of all) this.#orders.add(order);
    return all.length;
  }
}

async function gathered<T>(records: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const record of records) all.push(record);
  return all;
}
