/** Opens stores for tests: by their addresses, and emptied. */
import pg from 'pg';
import { type PostgresStorageOptions, postgresStorage } from '../../../src/core/storage/postgres.js';
import { sqliteStorage } from '../../../src/core/storage/sqlite.js';
import type { Storage } from '../../../src/core/ports/storage.js';

/** @param address a `postgres://` URL or the path of a SQLite file */
export function openStore(address: string): Promise<Storage> {
  return address.startsWith('postgres:')
    ? postgresStorage({ url: address })
    : sqliteStorage({ path: address });
}

/**
 * A new database for each check would take most of the time.
 *
 * @param url - of a migrated database
 * @param options - of the storage; only the URL unless given
 */
export async function emptyPostgres(
  url: string,
  options: PostgresStorageOptions = { url },
): Promise<Storage> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`
    delete from users; delete from orders; delete from idempotency_keys; delete from audit_log; delete from products; delete from categories; delete from api_keys; delete from outbox_receivers;
    update post_clock set last_id = 0, last_created_at = null`);
  await client.end();
  return await postgresStorage(options);
}
