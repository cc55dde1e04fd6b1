/** The migration of a PostgreSQL database, also by several processes at once and beside processes of an earlier version. */
import { migrateToLatest } from '../sql/migrations/migrate.js';
import type { MigrationOptions } from '../sql/migrations/migrations.js';
import { databaseDeadlines, PostgresConnection, type PostgresPool } from './connection.js';
import { isDeadlock } from './errors.js';

/** No limit: a migration may take long, and so may waiting for another process that runs it. */
const patienceMs = 0;

/** Returns a row if the first schema of the search path has a table with the name of the parameter. */
export const findTable = `select from pg_class where oid = to_regclass(quote_ident(current_schema) || '.' || $1)`;

/** No transaction of an application takes this lock. */
const migrationLock = '3853314791062309107';

/**
 * The maximum number of attempts. A migration locks several tables, and writers of the previous version lock the same tables in other
 * orders. It runs in one transaction, so nothing of it remains after a deadlock.
 */
const maxMigrations = 10;

/**
 * Creates the tables in the first schema of the search path. An advisory lock is held meanwhile: when several processes start at once, one
 * migrates and the others wait.
 *
 * @throws the error of the database; also for a database that is not encoded in UTF8 or has no schema for the tables
 */
export async function migratePostgres(pool: PostgresPool, options: MigrationOptions): Promise<void> {
  const connection = await PostgresConnection.open(pool, patienceMs);
  const ask = (sql: string) => connection.ask({ sql, parameters: [] });
  const migrate = () => migrateToLatest('postgres', (query) => connection.ask(query), findTable, options);
  try {
    const [state] = (await ask(
      `select current_schema() as schema, current_setting('server_encoding') as encoding`,
    )) as readonly { readonly schema: string | null; readonly encoding: string }[];
    const encoding = String(state?.encoding);
    if (encoding !== 'UTF8') throw new Error(`The encoding of the database must be UTF8, and is ${encoding}`);
    if (state?.schema == null) throw new Error('The search path of the database names no schema that exists');
    if (options.migrate === false) {
      (await migrate())();
      return;
    }
    for (let attempt = 1; ; attempt += 1) {
      try {
        const report = await connection.transaction(async () => {
          for (const deadline of Object.keys(databaseDeadlines)) await ask(`set local ${deadline} = 0`);
          await ask(`select pg_advisory_xact_lock(${migrationLock})`);
          return await migrate();
        });
        report();
        return;
      } catch (error) {
        if (attempt === maxMigrations || !(error instanceof Error && isDeadlock(error.cause))) throw error;
      }
    }
  } finally {
    connection.release();
  }
}
