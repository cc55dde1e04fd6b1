/** One connection of the caller's pool, for the duration of a task, and the limit of the wait for its answers. */
import type { ServerAddress } from '../../model/error.js';
import type { DatabaseObserver } from '../../ports/storage.js';
import type { StatementResult } from '../../ports/transaction.js';
import type { Query } from '../sql/query/query.js';
import { within } from '../../pacing/pacing.js';
import {
  explainFailedCommit,
  explainFailure,
  explainForHook,
  isOfConnection,
  isPostgresError,
  markOutdated,
} from './errors.js';
import { changesSession } from '../sql/query/statements.js';

type Explain = typeof explainFailure;

/** How often the connections of a pool were replaced. */
const renewals = new WeakMap<PostgresPool, number>();

/** By client that was used: the number of replacements when it was opened. */
const opened = new WeakMap<PostgresClient, number>();

/** Replaces the connections of a pool, each before its next use: what they keep from their start is no longer what new ones get. */
export function renewConnections(pool: PostgresPool): void {
  renewals.set(pool, (renewals.get(pool) ?? 0) + 1);
}

export class PostgresConnection {
  readonly #server: ServerAddress | undefined;
  readonly #settings: string | undefined;
  readonly #observer: DatabaseObserver;
  /** Whether it was opened for this task. */
  readonly isNew: boolean;
  #failure: Error | undefined;

  private constructor(
    private readonly client: PostgresClient,
    private readonly patienceMs: number,
    private readonly pool: PostgresPool,
  ) {
    const { server, transactionSettings, observer = {} } = pool;
    this.isNew = !opened.has(client);
    if (this.isNew) opened.set(client, renewals.get(pool) ?? 0);
    this.#server = server;
    this.#settings = transactionSettings;
    this.#observer = observer;
    // A running query fails too when the connection breaks, but an `error` event without a listener would end the process.
    client.on('error', this.#note);
  }

  /**
   * @param patienceMs - the maximum wait for each answer, because the server may hang; 0 waits for ever
   * @throws ServiceError `unavailable`
   */
  static async open(pool: PostgresPool, patienceMs: number): Promise<PostgresConnection> {
    const started = performance.now();
    try {
      let client = await pool.connect();
      while (isReplaced(client, pool)) {
        client.release(replaced);
        client = await pool.connect();
      }
      pool.observer?.waited?.(performance.now() - started, false);
      return new PostgresConnection(client, patienceMs, pool);
    } catch (error) {
      pool.observer?.waited?.(performance.now() - started, true);
      throw explainFailure(error, pool.server);
    }
  }

  /** @throws PostgreSQL's error; ServiceError `unavailable` when it did not answer */
  ask(query: Query): Promise<readonly unknown[]> {
    return this.#ask(query, explainFailure);
  }

  /** Runs a statement from a hook. @returns also how many rows it wrote @throws as {@link ask} */
  async askForHook(query: Query): Promise<StatementResult> {
    // In this mode, a text is one statement.
    const statement = { text: query.sql, values: [...query.parameters], queryMode: 'extended' };
    if (changesSession(query.sql)) this.discard();
    const { rows, rowCount } = await this.#observed(query.sql, explainForHook, () =>
      this.client.query(statement),
    );
    return { rows, written: rowCount ?? 0 };
  }

  /** Runs a query as a transaction of its own. @throws as {@link ask}; ServiceError `outcome-unknown` when it may have written */
  async askAlone(query: Query): Promise<readonly unknown[]> {
    const explain = explanationOf(query.sql);
    if (this.#settings === undefined) return await this.#ask(query, explain);
    return await this.transaction(() => this.ask(query), undefined, explain);
  }

  /**
   * @param isKept - whether the work is committed; all of it unless given
   *
   * @throws as {@link askAlone}, and the error of the work
   */
  async transaction<T>(
    work: () => Promise<T>,
    isKept: (outcome: T) => boolean = () => true,
    explain: Explain = explainFailedCommit,
  ): Promise<T> {
    await this.ask({ sql: begin + (this.#settings ?? ''), parameters: [] });
    try {
      const outcome = await work();
      if (isKept(outcome)) await this.#ask(commit, explain);
      else await this.ask(rollback);
      return outcome;
    } catch (error) {
      await this.ask(rollback).catch(() => undefined); // if this fails, the connection is broken and the transaction has ended
      throw error;
    }
  }

  async #ask(query: Query, explain: Explain): Promise<readonly unknown[]> {
    const { sql: text, parameters, name } = query;
    // The next transaction may have another connection of a pooler, which lacks the prepared statement.
    const prepared = name !== undefined && this.#settings === undefined && { name };
    const { rows } = await this.#observed(text, explain, () =>
      this.client.query({ text, values: [...parameters], ...prepared }),
    );
    return rows;
  }

  async #observed<T>(sql: string, explain: Explain, answer: () => Promise<T>): Promise<T> {
    const started = performance.now();
    try {
      const patience = this.patienceMs;
      return await (patience === 0
        ? answer()
        : within(patience, answer(), { fault: 'PostgreSQL did not answer' }));
    } catch (error) {
      // The server closes the connection after a FATAL error.
      const isKept = isPostgresError(error) && error.severity !== 'FATAL' && !isOfConnection(error);
      if (!isKept) this.#note(error as Error);
      const failure = explain(error, this.#server);
      if (!this.isNew && isPostgresError(error) && isOfConnection(error)) markOutdated(failure);
      throw failure;
    } finally {
      this.#observer.statement?.(sql, performance.now() - started);
    }
  }

  /** Lets the pool close the connection when it is released. */
  discard(): void {
    this.#note(replaced);
  }

  /** Returns the connection to the pool, which discards it if it is broken. */
  release(): void {
    this.client.removeListener('error', this.#note);
    if (isReplaced(this.client, this.pool)) this.discard();
    this.client.release(this.#failure);
  }

  readonly #note = (error: Error): void => {
    this.#failure ??= error;
  };
}

const replaced = new Error('the connection is replaced by a new one');

function isReplaced(client: PostgresClient, pool: PostgresPool): boolean {
  const current = renewals.get(pool) ?? 0;
  return (opened.get(client) ?? current) !== current;
}

/** The isolation level is explicit, because a database may be configured with another default. */
const begin = 'begin isolation level read committed';
const commit: Query = { sql: 'commit', parameters: [] };
const rollback: Query = { sql: 'rollback', parameters: [] };

/** The explanation of a failed query that is a transaction of its own. Every query of the stores that does not begin with `select` writes. */
function explanationOf(sql: string): Explain {
  return sql.startsWith('select') ? explainFailure : explainFailedCommit;
}

interface PostgresQuery {
  readonly text: string;
  readonly values: unknown[];
  /** Prepares the query once per connection, under this name. */
  readonly name?: string;
}

interface PostgresClient {
  query(query: PostgresQuery): Promise<{ readonly rows: unknown[]; readonly rowCount?: number | null }>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  removeListener(event: 'error', listener: (error: Error) => void): unknown;
  /** @param error - when given, the connection is closed instead of being used again */
  release(error?: Error): void;
}

export interface PostgresPool {
  connect(): Promise<PostgresClient>;
  /** For the causes of errors. */
  readonly server?: ServerAddress;
  readonly observer?: DatabaseObserver | undefined;
  /**
   * For a pool of connections to a transaction pooler, which keeps neither the settings nor the prepared statements of a session: the
   * statements with which each transaction continues after `begin`, each after a semicolon.
   */
  readonly transactionSettings?: string | undefined;
  readonly options?: {
    /** The maximum number of connections; 10 unless given. */
    readonly max?: number;
  };
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
