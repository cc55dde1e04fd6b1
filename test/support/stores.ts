/** The list of stores that the black-box suites run on. */

import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStorage } from '../../src/service/open/adapters.js';
import type { Settings } from '../../src/service/settings/settings.js';
import type { DatabaseSettings } from '../../src/service/settings/data.js';
import type { Storage } from '../../src/core/ports/storage.js';
import { triesMuch } from './budget.js';
import { sharedPostgres } from './postgres-server.js';
import { targetsSandbox } from './sandbox-service.js';
import { type TestService, useService } from './service.js';

interface Store {
  readonly name: string;
  /** A new, empty database. */
  readonly make: () => Promise<DatabaseSettings['database']>;
}

// In memory where there is such a place: each commit waits for the disk, and tests crash no operating system.
const home = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
const directories: string[] = [];

/** Every store, for suites that only `test:systems` runs. */
export const allStores: readonly (Store & { readonly isServer?: true })[] = [
  { name: 'memory', make: () => Promise.resolve({ kind: 'memory' }) },
  {
    name: 'SQLite',
    make: async () => {
      const directory = await mkdtemp(join(home, 'concordat-sqlite-'));
      directories.push(directory);
      return { kind: 'sqlite', path: join(directory, 'service.db') };
    },
  },
  {
    name: 'PostgreSQL',
    isServer: true,
    make: async () => ({ kind: 'postgres', url: await (await sharedPostgres()).createDatabase() }),
  },
];

/** Which stores a run is for: `local` ones, those of `systems` with servers, or `all`. */
const wanted = process.env['TEST_STORES'] ?? 'all';

export const stores: readonly Store[] =
  wanted === 'all'
    ? allStores
    : allStores.filter(({ isServer = false }) => isServer === (wanted === 'systems'));

/**
 * The stores for a suite: memory, and for two suites of three another, SQLite or PostgreSQL in turn. The conformance checks run on each. A
 * run that tries everything has all stores for every suite.
 */
function storesFor(title: string, of: readonly Store[]): readonly Store[] {
  if (targetsSandbox) return of.slice(0, 1);
  if (wanted === 'all' || triesMuch) return of;
  const sum = Buffer.from(title).reduce((total, byte) => total + byte, 0);
  const other = ['SQLite', 'PostgreSQL', undefined][sum % 3];
  return of.filter(({ name }) => name === 'memory' || name === other);
}

/** Runs a suite with its kinds of databases. @param suite - receives the store's name, and a function that creates an empty one */
export function onEveryDatabase(
  title: string,
  suite: (make: () => Promise<DatabaseSettings['database']>, name: string) => void,
  of: readonly Store[] = stores,
): void {
  for (const { name, make } of storesFor(title, of)) {
    describe(`${title}, ${name}`, () => {
      suite(make, name);
    });
  }
  after(removeStores);
}

/** The same in a file that only `test:systems` runs, and for which its databases are therefore all. */
export const onAllDatabases: typeof onEveryDatabase = (title, suite) => {
  onEveryDatabase(title, suite, allStores);
};

/** The environment in which a program uses a new database. */
export async function databaseUrl(make: Store['make']): Promise<{ readonly DATABASE_URL: string }> {
  const database = await make();
  if (database.kind === 'memory') return { DATABASE_URL: 'memory:' };
  return { DATABASE_URL: database.kind === 'sqlite' ? `sqlite:${database.path}` : database.url };
}

/** Removes the files of all databases that were made. */
export async function removeStores(): Promise<void> {
  await Promise.all(
    directories.splice(0).map((directory) => rm(directory, { recursive: true, force: true })),
  );
}

/**
 * Runs a suite on a service with each store.
 *
 * @param settings - returns further settings; called when the service starts
 */
export function onEveryStore(
  title: string,
  suite: (service: TestService) => void,
  settings: () => Partial<Settings> = () => ({}),
): void {
  onEveryDatabase(title, (make) => {
    suite(useService(async () => ({ ...settings(), database: await make() })));
  });
}

/**
 * Runs a suite on each store alone, without a service.
 *
 * @param suite - receives the storage, which is available in tests and empty before the first
 */
export function onEveryStorage(title: string, suite: (storage: () => Storage) => void): void {
  onEveryDatabase(title, (make) => {
    let storage: Storage | undefined;
    before(async () => {
      ({ storage } = await openStorage({ database: await make() }));
    });
    after(() => storage?.close());
    suite(() => {
      if (storage === undefined) throw new Error('the storage is not open');
      return storage;
    });
  });
}
