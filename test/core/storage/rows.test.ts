/** Whole rows that a store takes: the order of many posts is checked in time linear to their number, and a refusal names its row. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import { postgresStorage } from '../../../src/core/storage/postgres.js';
import { type SqlStorage, type TableRow, sqliteStorage } from '../../../src/core/storage/sqlite.js';
import { sharedPostgres } from '../../support/postgres-server.js';
import { until } from '../../support/until.js';

const COUNT = 5000;
const WRONG = 3456;

/** Posts with ids, of which every second one comes first, a second apart. @param wrongAt - the row with a time before that of its predecessor */
async function* posts(wrongAt?: number): AsyncGenerator<TableRow> {
  for (let index = 0; index < COUNT; index += 1) {
    const id = index < COUNT / 2 ? 2 * index + 1 : 2 * (index - COUNT / 2) + 2;
    const created_at = new Date(
      Date.UTC(2026, 0, 1) + (index === wrongAt ? id - 1.5 : id) * 1000,
    ).toISOString();
    yield { table: 'posts', row: { id: String(id), title: 't', content: 'c', author_id: '1', created_at } };
  }
  await Promise.resolve();
}

/** With the author of the posts. */
async function withAuthor(storage: SqlStorage): Promise<SqlStorage> {
  const details = { name: 'Ada', email: 'ada@example.com', phone: undefined, city: undefined } as const;
  const rights = { role: 'user', status: 'active', passwordHash: undefined } as const;
  const author = await storage.users.create({ ...details, ...rights }, '2026-01-01T00:00:00.000001Z');
  expect(author).to.include({ id: '1' });
  return storage;
}

const refusal = { position: WRONG, reason: 'post-order' };

describe('5,000 posts with ids', function () {
  this.timeout(30_000);

  it('are stored in SQLite, or the row that breaks their order is named', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'concordat-rows-'));
    const storage = await withAuthor(await sqliteStorage({ path: join(directory, 'service.db') }));
    expect(await storage.rows.write(posts(WRONG))).to.deep.equal(refusal);
    expect(await storage.rows.write(posts())).to.equal(COUNT);
    await storage.close();
    await rm(directory, { recursive: true });
  });

  it('are stored in PostgreSQL, which reads each post a few times', async () => {
    const url = await (await sharedPostgres()).createDatabase();
    const storage = await withAuthor(await postgresStorage({ url }));
    expect(await storage.rows.write(posts(WRONG))).to.deep.equal(refusal);
    expect(await storage.rows.write(posts())).to.equal(COUNT);
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
    expect(read).to.be.below(8 * COUNT);
  });
});
