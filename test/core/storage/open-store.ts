/** A store by its address, for programs that tests start. */
import { postgresStorage } from '../../../src/core/storage/postgres.js';
import { sqliteStorage } from '../../../src/core/storage/sqlite.js';
import type { Storage } from '../../../src/core/ports/storage.js';

/** @param address a `postgres://` URL or the path of a SQLite file */
export function openStore(address: string): Promise<Storage> {
  return address.startsWith('postgres:')
    ? postgresStorage({ url: address })
    : sqliteStorage({ path: address });
}
