/** All migrations, in the order in which they run. */
import type { Kysely, Migration, MigrationProvider } from 'kysely';
import { credentials } from './credentials.js';
import { externalIdentities } from './external-identities.js';
import { initial } from './initial.js';
import type { Words } from './words.js';

/**
 * By name; a database remembers the names that it has run. A new one goes to the end, with the next number; one that was
 * published never changes. There is no way down: undoing a migration would throw data away.
 */
const migrations: Readonly<Record<string, (db: Kysely<unknown>, words: Words) => Promise<void>>> = {
  '0001_initial': initial,
  '0002_external_identities': externalIdentities,
  '0003_credentials': credentials,
};

/** The migrations as Kysely's migrator takes them: code, so that nothing is read from a disk at run time. */
export class Migrations implements MigrationProvider {
  readonly #words: Words;

  constructor(words: Words) {
    this.#words = words;
  }

  getMigrations(): Promise<Record<string, Migration>> {
    const entries = Object.entries(migrations).map(([name, run]): [string, Migration] => [
      name,
      { up: (db) => run(db, this.#words) },
    ]);
    return Promise.resolve(Object.fromEntries(entries));
  }
}
