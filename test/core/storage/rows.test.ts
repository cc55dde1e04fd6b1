/** Rows that a store takes in parts, each in one step. The order of many posts is checked in time linear to their number. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import { type NewAuditEntry, everyAuditEntry } from '../../../src/core/ports/audit-store.js';
import { everyUser } from '../../../src/core/ports/user-store.js';
import { postgresStorage } from '../../../src/core/storage/postgres.js';
import { type SqlStorage, type TableRow, sqliteStorage } from '../../../src/core/storage/sqlite.js';
import { bareUser } from '../../support/bare-records.js';
import { sharedPostgres } from '../../support/postgres-server.js';
import { until } from '../../support/until.js';

const COUNT = 5000;
const WRONG = 3456;

/** Posts with ids, of which every second one comes first, a second apart. @param wrongAt - the row with a time before that of its predecessor */
async function* posts(wrongAt?: number, author_id = '1'): AsyncGenerator<TableRow> {
  for (let index = 0; index < COUNT; index += 1) {
    const id = index < COUNT / 2 ? 2 * index + 1 : 2 * (index - COUNT / 2) + 2;
    const created_at = new Date(
      Date.UTC(2026, 0, 1) + (index === wrongAt ? id - 1.5 : id) * 1000,
    ).toISOString();
    yield { table: 'posts', row: { id: String(id), title: 't', content: 'c', author_id, created_at } };
  }
  await Promise.resolve();
}

/** With the author of the posts. */
async function withAuthor(storage: SqlStorage, id = '1'): Promise<SqlStorage> {
  const details = { name: 'Ada', email: 'ada@example.com', phone: undefined, city: undefined } as const;
  const rights = { role: 'user', status: 'active', passwordHash: undefined } as const;
  const author = await storage.users.create({ ...details, ...rights }, '2026-01-01T00:00:00.000001Z');
  expect(author).to.include({ id });
  return storage;
}

const refusal = { position: WRONG, reason: 'post-order' };

const stores = {
  SQLite: async (directory: string) => await sqliteStorage({ path: join(directory, 'service.db') }),
  PostgreSQL: async () => await postgresStorage({ url: await (await sharedPostgres()).createDatabase() }),
};

/** More rows than are stored at once. */
const MANY = 450;
const now = '2026-01-01T00:00:00.000001Z';

async function* users(from = 1, to = MANY, fields = {}): AsyncGenerator<TableRow> {
  for (let number = from; number <= to; number += 1) {
    const row = { name: 'A', email: `${String(number)}@example.com`, role: 'user', status: 'active' };
    yield await Promise.resolve({
      table: 'users',
      row: { ...row, createdAt: now, updatedAt: now, ...fields },
    });
  }
}

async function* joined(...parts: readonly AsyncIterable<TableRow>[]): AsyncGenerator<TableRow> {
  for (const part of parts) yield* part;
}

for (const [name, open] of Object.entries(stores)) {
  describe(`rows without ids, ${name}`, () => {
    let directory = '';
    let storage: SqlStorage;
    before(async () => (directory = await mkdtemp(join(tmpdir(), 'concordat-rows-'))));
    beforeEach(async () => (storage = await open(await mkdtemp(join(directory, 'store-')))));
    afterEach(() => storage.close());
    after(() => rm(directory, { recursive: true }));

    it('get the next ids in their order, with their parts, and are counted', async () => {
      const order: TableRow = {
        table: 'orders',
        row: { userId: '1', status: 'pending', totalCents: 3, lastItemId: 2, createdAt: now, updatedAt: now },
        parts: {
          table: 'order_items',
          rows: ['1', '2'].map((id) => ({ id, name: `Item ${id}`, quantity: 1, unitPriceCents: 1 })),
        },
      };
      async function* orders() {
        for (let count = 0; count < MANY; count += 1) yield await Promise.resolve(order);
      }
      expect(await storage.rows.write(joined(users(), orders(), users(1000, 1000)))).to.equal(2 * MANY + 1);
      const listed = await storage.users.list(everyUser, { after: undefined, limit: 1000 });
      expect(listed.map(({ id }) => id)).to.deep.equal(
        Array.from({ length: MANY + 1 }, (_, index) => String(index + 1)),
      );
      expect(listed[MANY - 1]?.email).to.equal(`${String(MANY)}@example.com`);
      expect((await storage.users.findCredentials('7@EXAMPLE.com'))?.user).to.deep.equal(listed[6]);
      const last = await storage.orders.find(String(MANY));
      expect(last?.items.map(({ name }) => name)).to.deep.equal(['Item 1', 'Item 2']);
      expect(await storage.users.count({ ...everyUser, status: 'active' })).to.equal(MANY + 1);
      expect(await storage.orders.count({ userId: undefined })).to.equal(MANY);
      const made = await storage.users.create(
        { ...bareUser, name: 'B', email: 'b@example.com', role: 'user', status: 'active' },
        now,
      );
      expect(made).to.include({ id: String(MANY + 2) });
    });

    it('go on after ids that are greater than numbers are exact', async () => {
      const id = String(2 ** 53);
      const post = { title: 't', content: 'c', created_at: now, author_id: id };
      async function* huge() {
        yield* users(1, 1, { id });
        yield await Promise.resolve({ table: 'posts', row: { ...post, id } });
      }
      expect(await storage.rows.write(huge())).to.equal(2);
      for (const last of [1n, 2n]) {
        const made = await storage.posts.create({ title: 't', content: 'c', authorId: id }, now);
        expect(made).to.include({ id: String(BigInt(id) + last) });
      }
      expect((await storage.posts.list({ after: id, limit: 9 })).map((each) => each.id)).to.deep.equal([
        String(BigInt(id) + 1n),
        String(BigInt(id) + 2n),
      ]);
    });

    it('are stored with the entry of their part, or the part is not stored', async () => {
      const entryOf = (from: number, to: number): NewAuditEntry => ({
        at: now,
        actor: 'operator',
        action: 'records.import',
        target: undefined,
        address: undefined,
        outcome: 'done',
        detail: `${String(from)} to ${String(to)}`,
      });
      const twice = users(1, 1, { email: '7@EXAMPLE.com' });
      const refused = await storage.rows.write(joined(users(), twice), entryOf);
      expect(refused).to.deep.include({ position: MANY, reason: 'exists' });
      const stored = typeof refused === 'number' ? refused : refused.written;
      expect(await storage.users.count(everyUser)).to.equal(stored);
      async function* broken() {
        yield* users(1_001, 1_600);
        throw new Error('the file ends here');
      }
      const failure: unknown = await storage.rows.write(broken(), entryOf).catch((error: unknown) => error);
      expect(failure).to.include({ message: 'the file ends here' });
      expect(await storage.users.count(everyUser)).to.equal(stored + 500);
      const entries = await storage.audit.list(everyAuditEntry, { after: undefined, limit: 100 });
      const last = entries.at(-1)?.detail;
      expect(last).to.match(/ to 500$/);
    });
  });
}

describe('5,000 posts with ids', () => {
  it('are stored in SQLite, or the row that breaks their order is named', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'concordat-rows-'));
    const storage = await withAuthor(await sqliteStorage({ path: join(directory, 'service.db') }));
    expect(await storage.rows.write(posts(WRONG))).to.include(refusal);
    await storage.users.delete('1');
    await withAuthor(storage, '2');
    expect(await storage.rows.write(posts(undefined, '2'))).to.equal(COUNT);
    await storage.close();
    await rm(directory, { recursive: true });
  });

  it('are stored in PostgreSQL, which reads each post a few times', async () => {
    const url = await (await sharedPostgres()).createDatabase();
    const storage = await withAuthor(await postgresStorage({ url }));
    expect(await storage.rows.write(posts(WRONG))).to.include(refusal);
    await storage.users.delete('1');
    await withAuthor(storage, '2');
    expect(await storage.rows.write(posts(undefined, '2'))).to.equal(COUNT);
    await storage.close(); // a session that ends adds its counts to those of the server
    const client = new pg.Client(url);
    await client.connect();
    let read = 0;
    await until('the inserted posts are counted', async () => {
      const { rows } = await client.query<{ read: string; inserted: string }>(
        `select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as read, n_tup_ins as inserted
          from pg_stat_user_tables where relname = 'posts'`,
      );
      read = Number(rows[0]?.read);
      return Number(rows[0]?.inserted) >= COUNT;
    });
    await client.end();
    expect(read).to.be.below(16 * COUNT); // most of them were stored, and deleted, before
  });
});
