/** Opens the store that the settings name. Adapters are loaded on demand, because their packages are optional. */

import type { Storage } from '@concordat/core';
import type { DatabaseSetting } from '../settings/data.js';

/** A store, with its description for the start message. */
export interface OpenedStorage {
  readonly storage: Storage;
  readonly description: string;
}

/**
 * @param onMigration - called with the name of each migration that ran
 * @throws when the store cannot be opened or migrated
 */
export async function openStorage(
  database: DatabaseSetting,
  onMigration: (name: string) => void = () => undefined,
): Promise<OpenedStorage> {
  switch (database.kind) {
    case 'memory': {
      const { memoryStorage } = await import('@concordat/core/storage/memory');
      return { storage: memoryStorage(), description: 'memory, gone when the service stops' };
    }
    case 'sqlite': {
      const { sqliteStorage } = await import('@concordat/core/storage/sqlite');
      return {
        storage: await sqliteStorage({ path: database.path, onMigration }),
        description: `SQLite, ${database.path}`,
      };
    }
    case 'postgres': {
      const { postgresStorage } = await import('@concordat/core/storage/postgres');
      const { host, pathname } = new URL(database.url);
      return {
        storage: await postgresStorage({ url: database.url, onMigration }),
        description: `PostgreSQL, ${host}${pathname}`,
      };
    }
  }
}
