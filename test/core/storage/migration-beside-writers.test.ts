/** A migration of PostgreSQL while the previous version writes: it locks tables that a writer locks in another order. */
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import pg from 'pg';
import { listIndexes } from '../../../src/core/storage/sql/migrations/list-pages.js';
import { postgresStorage } from '../../../src/core/storage/postgres.js';
import { sharedPostgres } from '../../support/postgres-server.js';
import { until } from '../../support/until.js';

const firstSchema = new URL('../../service/first-schema/postgres.sql', import.meta.url);

describe('a migration of PostgreSQL beside a writer', function () {
  this.timeout(30_000);

  it('is run again after a deadlock', async () => {
    const url = await (await sharedPostgres()).createDatabase();
    const [writer, observer] = [0, 1].map(() => new pg.Client({ connectionString: url })) as [
      pg.Client,
      pg.Client,
    ];
    await Promise.all([writer.connect(), observer.connect()]);
    try {
      await writer.query(await readFile(firstSchema, 'utf8'));
      // Nothing is built early, so that the migration itself meets the writer.
      for (const [name, [table, columns]] of Object.entries(listIndexes))
        await writer.query(`create index ${name} on public.${table} (${columns.join(', ')})`);
      // PostgreSQL ends the transaction that finds the deadlock: this writer does not look for it.
      await writer.query(`set search_path = public; set deadlock_timeout = '1h'`);
      // A comment that is being written locks its table, and then its user for the foreign key.
      await writer.query('begin; lock table comments in row exclusive mode');
      const migrated: string[] = [];
      const opened = postgresStorage({ url, onMigration: (name) => migrated.push(name) });
      opened.catch(() => undefined);
      await until('the migration waits', async () => {
        const { rowCount } = await observer.query(
          `select from pg_locks where not granted and relation = 'public.comments'::regclass`,
        );
        return rowCount === 1;
      });
      await writer.query('select id from users for key share');
      await writer.query('commit');
      await (await opened).close();
      expect(migrated).to.include('0006_list_pages');
    } finally {
      await Promise.all([writer.end(), observer.end()]);
    }
  });

  /** A database of the first schema, and two clients of it. */
  async function firstDatabase(): Promise<{ url: string; clients: [pg.Client, pg.Client] }> {
    const url = await (await sharedPostgres()).createDatabase();
    const clients = [0, 1].map(() => new pg.Client({ connectionString: url })) as [pg.Client, pg.Client];
    await Promise.all(clients.map((client) => client.connect()));
    await clients[0].query(await readFile(firstSchema, 'utf8'));
    for (const client of clients) await client.query(`set search_path = public; set lock_timeout = '1s'`);
    return { url, clients };
  }

  const addUser = (email: string) => ({
    text: `insert into users (name, email, email_key, role, status, created_at, updated_at)
      values ('Alan', $1, $1, 'user', 'active', now(), now())`,
    values: [email],
  });

  it('lets others write while it builds indexes', async () => {
    const { url, clients } = await firstDatabase();
    const [slow, quick] = clients;
    try {
      // The indexes are not complete before this transaction ends.
      await slow.query('begin');
      await slow.query(addUser('slow@example.com'));
      const opened = postgresStorage({ url });
      opened.catch(() => undefined);
      await until('an index is being built', async () => {
        const { rowCount } = await quick.query('select from pg_stat_progress_create_index');
        return rowCount === 1;
      });
      await quick.query(addUser('quick@example.com'));
      await slow.query('commit');
      const storage = await opened;
      expect(await storage.users.count({ city: undefined, role: undefined, status: undefined })).to.equal(4);
      await storage.close();
    } finally {
      await Promise.all(clients.map((client) => client.end()));
    }
  });

  it('builds an index again that was interrupted', async () => {
    const { url, clients } = await firstDatabase();
    const [slow, quick] = clients;
    try {
      await slow.query('begin');
      await slow.query(addUser('slow@example.com'));
      await quick.query(`set statement_timeout = '200ms'`);
      const interrupted = quick.query(
        'create index concurrently users_group_index on users (role, status, id)',
      );
      expect(await interrupted.catch(String)).to.include('canceling statement');
      await slow.query('rollback');
      await (await postgresStorage({ url })).close();
      const { rows } = await slow.query<{ readonly indisvalid: boolean }>(
        `select indisvalid from pg_index where indexrelid = 'users_group_index'::regclass`,
      );
      expect(rows).to.deep.equal([{ indisvalid: true }]);
    } finally {
      await Promise.all(clients.map((client) => client.end()));
    }
  });
});
