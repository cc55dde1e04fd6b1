/** Brings a database's tables up to date. */
import { Migrator, type Kysely } from 'kysely';
import type { ColumnTypes } from './column-types.js';
import { migrations } from './migrations.js';

/**
 * Runs the migrations that have not run yet. Its bookkeeping tables have their own names, so that an application with Kysely
 * migrations can share the database.
 *
 * @param onMigration - called with the name of each migration that ran, after all of them
 * @param schema - the schema of the tables, in a database that has schemas
 * @throws the error of the database; also for a database that a later version of this package has migrated
 */
export async function migrateToLatest(
  db: Kysely<unknown>,
  types: ColumnTypes,
  onMigration: (name: string) => void,
  schema?: string,
): Promise<void> {
  const entries = Object.entries(migrations).map(
    ([name, migrate]) => [name, { up: (to: Kysely<unknown>) => migrate(to, types) }] as const,
  );
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(Object.fromEntries(entries)) },
    migrationTableName: 'concordat_migrations',
    migrationLockTableName: 'concordat_migrations_lock',
    ...(schema !== undefined && { migrationTableSchema: schema }),
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error !== undefined)
    throw error instanceof Error ? error : new Error('the migration failed', { cause: error });
  for (const { migrationName } of results) onMigration(migrationName);
}
