/** The migration of a PostgreSQL database, also by several processes at once and beside processes of an earlier version. */
import { Kysely, PostgresDialect, type PostgresPool as KyselyPool, sql } from 'kysely';
import { postgresColumnTypes } from '../sql/migrations/column-types.js';
import { migrateToLatest, readRan } from '../sql/migrations/migrate.js';
import type { MigrationOptions } from '../sql/migrations/options.js';
import { databaseDeadlines, PostgresConnection, type PostgresPool } from './connection.js';
import { buildIndexesEarly } from './early-indexes.js';
import { isDeadlock } from './errors.js';

/** No limit: a migration may take long, and so may waiting for another process that runs it. */
const patienceMs = 0;

/** Returns a row if the first schema of the search path has a table with the name of the parameter. */
export const findTable = `select from pg_class where oid = to_regclass(quote_ident(current_schema) || '.' || $1)`;

/** The lock of Kysely's migrator, with which earlier versions migrate. */
const migrationLock = '3853314791062309107';

/**
 * Creates the tables in the first schema of the search path. An advisory lock is held meanwhile: when several processes start at once, one
 * migrates and the others wait.
 *
 * @throws the error of the database; also for a database that is not encoded in UTF8 or has no schema for the tables
 */
export async function migratePostgres(pool: PostgresPool, options: MigrationOptions): Promise<void> {
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: kyselyPool(pool) }) });
  const { rows } = await sql<{ schema: string | null; encoding: string }>`
    select current_schema() as schema, current_setting('server_encoding') as encoding`.execute(db);
  const encoding = String(rows[0]?.encoding);
  if (encoding !== 'UTF8') throw new Error(`The encoding of the database must be UTF8, and is ${encoding}`);
  if (rows[0]?.schema == null) throw new Error('The search path of the database names no schema that exists');
  if (options.migrate === false) {
    (await migrateToLatest(db, postgresColumnTypes, findTable, options))();
    return;
  }
  await buildIndexesEarly(pool, await readRan(db, findTable));
  for (let attempt = 1; ; attempt += 1) {
    try {
      const report = await db.transaction().execute(async (transaction) => {
        await sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)})`.execute(transaction);
        return await migrateToLatest(transaction, postgresColumnTypes, findTable, options);
      });
      report();
      return;
    } catch (error) {
      if (attempt === maxMigrations || !(error instanceof Error && isDeadlock(error.cause))) throw error;
    }
  }
}

/**
 * The maximum number of attempts. A migration locks several tables, and writers of the previous version lock the same tables in other
 * orders. It runs in one transaction, so nothing of it remains after a deadlock.
 */
const maxMigrations = 10;

/** The pool in the shape that Kysely's dialect needs, whose transactions have no deadlines. It stays open for the storage. */
function kyselyPool(pool: PostgresPool): KyselyPool {
  return {
    async connect() {
      const connection = await PostgresConnection.open(pool, patienceMs);
      const query = async (sql: string, parameters: readonly unknown[]) => {
        const rows = await connection.ask({ sql, parameters });
        if (sql !== 'begin') return { rows };
        for (const deadline of Object.keys(databaseDeadlines)) {
          await connection.ask({ sql: `set local ${deadline} = 0`, parameters: [] });
        }
        return { rows };
      };
      type Client = Awaited<ReturnType<KyselyPool['connect']>>;
      // Migrations use neither the number of changed rows nor a cursor.
      return { query: query as unknown as Client['query'], release: () => connection.release() };
    },
    end: () => Promise.resolve(),
  };
}
