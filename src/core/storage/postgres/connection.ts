/** One connection of the caller's pool, for the duration of a task, and the migration of the database. */

import type { Query } from '../sql/query/query.js';
import { explainFailedCommit, explainFailure, isPostgresError } from './errors.js';
import { Kysely, PostgresDialect, type PostgresPool as KyselyPool, sql } from 'kysely';
import { postgresColumnTypes } from '../sql/migrations/column-types.js';
import { migrateToLatest } from '../sql/migrations/migrations.js';

export class PostgresConnection {
  readonly #client: PostgresClient;
  readonly #patienceMs: number;
  #failure: Error | undefined;

  private constructor(client: PostgresClient, patienceMs: number) {
    this.#client = client;
    this.#patienceMs = patienceMs;
    // A running query fails too when the connection breaks, but an `error` event without a listener would end the process.
    client.on('error', this.#note);
  }

  /**
   * @param patienceMs - the maximum wait for each answer, because the server may hang; 0 waits for ever
   * @throws ServiceError `unavailable`
   */
  static async open(pool: PostgresPool, patienceMs: number): Promise<PostgresConnection> {
    try {
      return new PostgresConnection(await pool.connect(), patienceMs);
    } catch (error) {
      throw explainFailure(error);
    }
  }

  /**
   * @param commits - whether the query is its own transaction, or ends one
   * @throws PostgreSQL's error; ServiceError `unavailable` when it did not answer, `outcome-unknown` when it may have written
   */
  async ask({ sql, parameters, name }: Query, commits = false): Promise<readonly unknown[]> {
    const query = {
      text: sql,
      values: [...parameters],
      query_timeout: this.#patienceMs,
      ...(name !== undefined && { name }),
    };
    try {
      return (await this.#client.query(query)).rows;
    } catch (error) {
      // The server closes the connection after a FATAL error.
      if (!isPostgresError(error) || error.severity === 'FATAL') this.#note(error as Error);
      throw commits && !isRead(sql) ? explainFailedCommit(error) : explainFailure(error);
    }
  }

  /** Returns the connection to the pool, which discards it if it is broken. */
  release(): void {
    this.#client.removeListener('error', this.#note);
    this.#client.release(this.#failure);
  }

  readonly #note = (error: Error): void => {
    this.#failure ??= error;
  };
}

/** Every query of the stores that does not begin with `select` writes. */
function isRead(sql: string): boolean {
  return sql.startsWith('select');
}

export interface PostgresQuery {
  readonly text: string;
  readonly values: unknown[];
  /** Prepares the query once per connection, under this name. */
  readonly name?: string;
  /** Milliseconds after which the client gives up on the query; 0 for never. */
  readonly query_timeout?: number;
}

export interface PostgresClient {
  query(query: PostgresQuery): Promise<{ readonly rows: unknown[] }>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  removeListener(event: 'error', listener: (error: Error) => void): unknown;
  /** @param error - when given, the connection is closed instead of being used again */
  release(error?: Error): void;
}

export interface PostgresPool {
  connect(): Promise<PostgresClient>;
}

/**
 * The deadlines of the database, in milliseconds, as options of a `pg` pool. With them, the database gives up on a statement before
 * the storage does, after 30 seconds: a statement that failed with `unavailable` was not executed, and no connection keeps waiting
 * for a lock.
 */
export const databaseDeadlines = {
  /** No task here holds a lock for long, and a task that waits holds a connection that others need. */
  lock_timeout: 2_000,
  statement_timeout: 20_000,
  /** A process that stops in the middle of a transaction loses it and its locks. */
  idle_in_transaction_session_timeout: 10_000,
} as const;

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
