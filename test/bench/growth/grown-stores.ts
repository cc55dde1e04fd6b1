/** Stores of any size, in both databases. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '../../../src/core/storage/sqlite/driver.js';
import pg from 'pg';
import { postgresStorage } from '../../../src/core/storage/postgres.js';
import { memoryStorage } from '../../../src/core/storage/memory.js';
import { sqliteStorage } from '../../../src/core/storage/sqlite.js';
import type { Storage } from '../../../src/core/ports/storage.js';
import { type Amounts, fillStore } from '../../support/fill-store.js';
import { PostgresServer } from '../../support/postgres-server.js';
import { progressBar } from './progress-bar.js';

/** The contract of stores with `shelves`. */
const contract = { extensions: { 'x-records': { User: { stored: { shelf: { filter: true } } } } } };

export interface GrownStore {
  readonly storage: Storage;
  /** As `DATABASE_URL`, for a service on it. */
  readonly url: string;
}

/** A kind of database in which several stores can be created. */
export interface StoreMaker {
  /** Creates a store with this many users and this many posts, and other records if they are given. */
  make(rows: number, others?: Partial<Amounts>): Promise<GrownStore>;
  /** Removes everything; call it once the stores are closed. */
  remove(): Promise<void>;
}

export async function sqliteStores(): Promise<StoreMaker> {
  const directory = await mkdtemp(join(tmpdir(), 'concordat-growth-'));
  return {
    async make(rows, others) {
      const path = join(directory, `${rows}.db`);
      const own = others?.shelves === true ? { contract } : {};
      await (await sqliteStorage({ path, ...own })).close();
      const database = new DatabaseSync(path);
      database.exec('pragma synchronous = off'); // only while it is filled; the store sets its own value
      const execute = (statement: string): void => database.exec(statement);
      await fillStore(
        { kind: 'sqlite', execute },
        { users: rows, posts: rows, ...others },
        progressBar('SQLite    '),
      );
      database.close();
      return { storage: await sqliteStorage({ path, ...own }), url: `sqlite:${path}` };
    },
    remove: () => rm(directory, { recursive: true }),
  };
}

export async function postgresStores(): Promise<StoreMaker> {
  const server = await PostgresServer.start();
  return {
    async make(rows, others) {
      const url = await server.createDatabase();
      const own = others?.shelves === true ? { contract } : {};
      await (await postgresStorage({ url, ...own })).close();
      const client = new pg.Client(url);
      await client.connect();
      const execute = async (statement: string): Promise<void> => {
        await client.query(statement);
      };
      await fillStore(
        { kind: 'postgres', execute },
        { users: rows, posts: rows, ...others },
        progressBar('PostgreSQL'),
      );
      await client.query('vacuum analyze'); // the server would do this by itself a minute later
      await client.end();
      return { storage: await postgresStorage({ url, ...own }), url };
    },
    remove: () => server.stop(),
  };
}

export function memoryStores(): Promise<StoreMaker> {
  return Promise.resolve({
    async make(rows, others) {
      const storage = memoryStorage({ contract });
      await fillMemory(storage, { users: rows, posts: 0, ...others });
      return { storage, url: 'memory:' };
    },
    remove: () => Promise.resolve(),
  });
}

/** As {@link fillStore} fills the tables of the others. */
async function fillMemory(
  { users, orders: orderStore, products: productStore, comments }: Storage,
  { users: people, orders = 0, products = 0 }: Amounts,
): Promise<void> {
  const now = '2026-01-01T00:00:00.000000Z';
  for (let i = 1; i <= people; i += 1) {
    const user = {
      name: `User ${i}`,
      email: `User${i}@example.com`,
      phone: undefined,
      city: `City ${i % 100}`,
      role: i % 100 === 0 ? 'admin' : 'user',
      status: i % 50 === 1 ? 'inactive' : 'active',
      passwordHash: undefined,
      stored: { shelf: `Shelf ${i % 100}` },
    } as const;
    await users.create(user, now);
  }
  const item = { productId: undefined, name: 'Item', quantity: 1, unitPriceCents: 1999 };
  for (let i = 1; i <= orders; i += 1) {
    const userId = String(1 + (i % people));
    await orderStore.create({ userId, totalCents: 1999, items: [item] }, now);
    await comments.create(
      { orderId: String(i), userId: String(1 + ((7 * i) % people)), text: 'Comment' },
      now,
    );
  }
  for (let i = 1; i <= products; i += 1) {
    await productStore.create({ name: `Product ${i}`, description: undefined, priceCents: 1999 });
  }
}
