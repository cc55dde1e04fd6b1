/** Holds the PostgreSQL storage against the conformance suite on a real server, and against what only it promises. */
import pg from 'pg';
import { postgresStorage } from '../../../src/adapters/storage/postgres.js';
import { storageChecks } from '../../../src/conformance/storage.js';
import { sharedPostgres } from '../../support/postgres-server.js';

describe('postgresStorage', () => {
  let url = '';
  before(async function () {
    this.timeout(60_000);
    url = await (await sharedPostgres()).createDatabase();
    await (await postgresStorage({ url })).close();
  });

  for (const check of storageChecks) {
    it(`${check.level} ${check.id}: ${check.name}`, () => check.run(() => emptyStorage(url)));
  }

  for (const check of storageChecks.filter(({ id }) => id.includes('-race-'))) {
    it(`passes ${check.id} where the database is set to serializable transactions`, () =>
      check.run(() => emptyStorage(`${url}?options=-c default_transaction_isolation=serializable`)));
  }
});

/** A new database for each check would take most of the time. */
async function emptyStorage(url: string): ReturnType<typeof postgresStorage> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`
    delete from users; delete from orders; delete from products; delete from categories;
    update post_clock set last_id = 0, last_created_at = null`);
  await client.end();
  return await postgresStorage({ url });
}
