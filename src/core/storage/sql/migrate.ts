/** Brings a database's tables up to date. */
import { Migrator, type Kysely } from 'kysely';
import { Migrations } from './migrations/migrations.js';
import type { Words } from './migrations/words.js';

/**
 * Runs what has not run yet. Its notes have names of their own, so that an application with Kysely migrations can share the
 * database.
 *
 * @param onMigration told the name of each that ran, once all have
 * @param schema where the tables are, in a database that has schemas
 * @throws what the database said, and for a database that a later version of this package has changed
 */
export async function migrateToLatest(
  db: Kysely<unknown>,
  words: Words,
  onMigration: (name: string) => void,
  schema?: string,
): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: new Migrations(words),
    migrationTableName: 'concordat_migrations',
    migrationLockTableName: 'concordat_migrations_lock',
    ...(schema !== undefined && { migrationTableSchema: schema }),
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error !== undefined)
    throw error instanceof Error ? error : new Error('the migration failed', { cause: error });
  for (const { migrationName } of results) onMigration(migrationName);
}
