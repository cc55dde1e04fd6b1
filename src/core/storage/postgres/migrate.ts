/** Brings a PostgreSQL database up to date before it is used. */
import { Kysely, PostgresDialect, sql, type PostgresPool as KyselyPool } from 'kysely';
import { postgresColumnTypes } from '../sql/migrations/column-types.js';
import { migrateToLatest } from '../sql/migrations/migrations.js';
import { PostgresConnection, databaseDeadlines, type PostgresPool } from './connection.js';

/** No limit: a migration may take long, and so may waiting for another process that runs it. */
const patienceMs = 0;

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
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: kyselyPool(pool) }) });
  const { rows } = await sql<{ schema: string | null; encoding: string }>`
    select current_schema() as schema, current_setting('server_encoding') as encoding`.execute(db);
  const encoding = String(rows[0]?.encoding);
  if (encoding !== 'UTF8') throw new Error(`The encoding of the database must be UTF8, and is ${encoding}`);
  const schema = rows[0]?.schema ?? undefined;
  if (schema === undefined) throw new Error('The search path of the database names no schema that exists');
  await migrateToLatest(db, postgresColumnTypes, onMigration, schema);
}

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
