/** Brings a PostgreSQL database up to date before it is used. */
import { Kysely, sql } from 'kysely';
import { migrateToLatest } from '../sql/migrations/migrate.js';
import { postgresColumnTypes } from '../sql/migrations/column-types.js';
import { postgresParts } from './dialect.js';
import { MigrationDriver } from './migration-driver.js';
import type { PostgresPool } from './pool.js';

/**
 * Creates the tables in the first schema of the search path. Kysely's migrator holds an advisory lock while it runs: when
 * several processes start at once, one migrates and the others wait.
 *
 * @param onMigration - called with the name of each migration that ran
 * @throws the error of the database; also for a database that is not encoded in UTF8 or has no schema for the tables
 */
export async function migratePostgres(
  pool: PostgresPool,
  onMigration: (name: string) => void,
): Promise<void> {
  const db = new Kysely<unknown>({
    dialect: { ...postgresParts, createDriver: () => new MigrationDriver(pool) },
  });
  const { rows } = await sql<{ schema: string | null; encoding: string }>`
    select current_schema() as schema, current_setting('server_encoding') as encoding`.execute(db);
  const encoding = String(rows[0]?.encoding);
  if (encoding !== 'UTF8') throw new Error(`The encoding of the database must be UTF8, and is ${encoding}`);
  const schema = rows[0]?.schema ?? undefined;
  if (schema === undefined) throw new Error('The search path of the database names no schema that exists');
  await migrateToLatest(db, postgresColumnTypes, onMigration, schema);
}
