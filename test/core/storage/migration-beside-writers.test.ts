/** A migration of PostgreSQL while the previous version writes: it locks tables that a writer locks in another order. */
import { expect } from 'chai';
import pg from 'pg';
import { postgresStorage } from '../../../src/core/storage/postgres.js';
import { withMigration } from '../../support/later-migration.js';
import { sharedPostgres } from '../../support/postgres-server.js';
import { until } from '../../support/until.js';

const lockingMigration = (): readonly string[] => [
  'lock table users in access exclusive mode',
  'alter table comments add column mood text',
];

describe('a migration of PostgreSQL beside a writer', () => {
  it('is run again after a deadlock', async () => {
    const url = await (await sharedPostgres()).createDatabase();
    await (await postgresStorage({ url })).close();
    const [writer, observer] = [0, 1].map(() => new pg.Client({ connectionString: url })) as [
      pg.Client,
      pg.Client,
    ];
    await Promise.all([writer.connect(), observer.connect()]);
    try {
      // PostgreSQL ends the transaction that finds the deadlock: this writer does not look for it.
      await writer.query(`set deadlock_timeout = '1h'`);
      // A comment that is being written locks its table, and then its user for the foreign key.
      await writer.query('begin; lock table comments in row exclusive mode');
      const migrated: string[] = [];
      await withMigration('0098_moods', lockingMigration, async () => {
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
      });
      expect(migrated).to.deep.equal(['0098_moods']);
    } finally {
      await Promise.all([writer.end(), observer.end()]);
    }
  });
});
