/** All migrations, in the order in which they run. */
import type { Kysely, Migration, MigrationProvider } from 'kysely';
import { credentials } from './credentials.js';
import { externalIdentities } from './external-identities.js';
import { idempotency } from './idempotency.js';
import { initial } from './initial.js';
import { revocations } from './revocations.js';
import type { ColumnTypes } from './column-types.js';

/**
 * By name; a database stores the names that have run. A new migration goes to the end, with the next number; a published
 * one never changes. There are no down migrations, because undoing a migration would lose data.
 */
const migrations: Readonly<Record<string, (db: Kysely<unknown>, types: ColumnTypes) => Promise<void>>> = {
  '0001_initial': initial,
  '0002_external_identities': externalIdentities,
  '0003_credentials': credentials,
  '0004_revocations': revocations,
  '0005_idempotency': idempotency,
};

/** The migrations for Kysely's migrator. They are code, so that no file is read at run time. */
export class Migrations implements MigrationProvider {
  readonly #types: ColumnTypes;

  constructor(types: ColumnTypes) {
    this.#types = types;
  }

  getMigrations(): Promise<Record<string, Migration>> {
    const entries = Object.entries(migrations).map(([name, run]): [string, Migration] => [
      name,
      { up: (db) => run(db, this.#types) },
    ]);
    return Promise.resolve(Object.fromEntries(entries));
  }
}
