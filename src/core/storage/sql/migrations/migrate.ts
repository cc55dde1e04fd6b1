/** Runs the migrations that a database lacks, or finds out which these are. */
import { CompiledQuery, type Kysely, sql } from 'kysely';
import type { ColumnTypes } from './column-types.js';
import { migrations } from './migrations.js';
import type { MigrationOptions } from './options.js';
import { migrationTable, planOf, ranMigrations } from './plan.js';

/** The failure of a migration, of which nothing remains. */
export class MigrationFailure extends Error {
  override readonly name = 'MigrationFailure';

  constructor(migration: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`The migration ${migration} failed, and no migration was carried out: ${reason}`, { cause });
  }
}

/** The names of the migrations that have run. @param findTable - see {@link ranMigrations} */
export async function readRan(db: Kysely<unknown>, findTable: string): Promise<readonly string[]> {
  const task = ranMigrations(findTable);
  let next = task.next([]);
  while (next.done !== true) {
    const { sql, parameters } = next.value;
    next = task.next((await db.executeQuery(CompiledQuery.raw(sql, [...parameters]))).rows);
  }
  return next.value;
}

/**
 * Runs the migrations that have not run yet. The table of their names is the one of Kysely's migrator, which earlier versions used. It has
 * its own name, so that an application with Kysely migrations can share the database.
 *
 * @param db - a transaction in which no other process migrates; only read without `migrate`
 * @returns what to call once the transaction has been committed
 * @throws MigrationFailure; an error that says why this version cannot use the database
 */
export async function migrateToLatest(
  db: Kysely<unknown>,
  types: ColumnTypes,
  findTable: string,
  { onMigration, onLaterMigration, migrate = true }: MigrationOptions = {},
): Promise<() => void> {
  const ran = await readRan(db, findTable);
  const { pending, later, refusal } = planOf(ran);
  if (refusal !== undefined) throw new Error(refusal);
  if (migrate && pending.length > 0) {
    const table = db.schema.createTable(migrationTable).ifNotExists();
    await table
      .addColumn('name', 'varchar(255)', (column) => column.notNull().primaryKey())
      .addColumn('timestamp', 'varchar(255)', (column) => column.notNull())
      .execute();
    for (const name of pending) {
      try {
        await migrations[name]?.(db, types);
        const now = new Date().toISOString();
        await sql`insert into ${sql.table(migrationTable)} values (${name}, ${now})`.execute(db);
      } catch (error) {
        throw new MigrationFailure(name, error);
      }
    }
  }
  return () => {
    for (const name of later) onLaterMigration?.(name);
    for (const name of pending) onMigration?.(name);
  };
}
