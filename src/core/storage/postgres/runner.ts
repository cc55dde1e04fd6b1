/** Runs tasks on the connections of a pool. */
import { setTimeout } from 'node:timers/promises';
import { ServiceError } from '../../model/error.js';
import { Semaphore } from '../../pacing/pacing.js';
import type { KeptFields } from '../../model/stored.js';
import type { SqlRunner, SqlTask, SqlTransaction } from '../sql/query/runner.js';
import type { Query } from '../sql/query/query.js';
import { withStatements } from '../sql/query/statements.js';
import { requireMigrations } from '../sql/migrations/migrate.js';
import { PostgresConnection, type PostgresPool, renewConnections } from './connection.js';
import { findTable } from './migrate.js';
import { postgresBuilder, postgresDialect } from './dialect.js';
import { explainFailure, isLostRace, isOutdated, Probation, readOnlyError } from './errors.js';

/** Losing this many races in a row is no longer chance. */
const maxAttempts = 25;
const longestPauseMs = 20;

/**
 * The maximum wait for an answer, because the server may hang. The database's own deadlines (`databaseDeadlines`) are shorter, so
 * that it executes nothing after the wait has ended.
 */
const patienceMs = 30_000;

/** The same for a ping: a probe that waits longer has given up. */
export const pingPatienceMs = 1_000;

/** The maximum wait of a list for its turn: as long as tasks wait for a connection of the pool. */
const listPatienceMs = 5_000;

export class PostgresRunner implements SqlRunner {
  readonly builder = postgresBuilder;
  readonly dialect = postgresDialect;
  readonly #probation = new Probation();
  readonly #lists: Semaphore;
  readonly #underWay = new Set<Promise<unknown>>();
  /** The state of the sessions at the last ping. */
  #session: string | undefined;
  #closed: Promise<void> | undefined;

  /**
   * @param endPool - what to do with the pool when the runner closes
   * @param probes - the pool for pings; unless given, they use the same
   */
  constructor(
    private readonly pool: PostgresPool,
    private readonly endPool: () => Promise<void>,
    private readonly probes = pool,
    readonly ownFields?: KeptFields,
  ) {
    const listsAtOnce = Math.max(1, Math.floor((pool.options?.max ?? 10) / 2));
    this.#lists = new Semaphore(listsAtOnce, Infinity, listPatienceMs);
  }

  run<T>(task: () => SqlTask<T>): Promise<T> {
    return this.#attempt(() => answerAll(task(), (query) => this.#ask(query)));
  }

  runList<T>(task: () => SqlTask<T>): Promise<T> {
    return this.#attempt(() => answerAll(task(), (query) => this.#ask(query, true)));
  }

  runAtomically<T>(task: () => SqlTask<T>): Promise<T> {
    return this.#attempt(() => this.#runInTransaction(task()));
  }

  transact<T>(_: unknown, work: (transaction: SqlTransaction) => Promise<T>): Promise<T> {
    return this.#attempt(() => this.#transact(work));
  }

  ping(): Promise<void> {
    return this.#track(async () => {
      while (!(await this.#answersAsNew())) renewConnections(this.probes);
    });
  }

  /**
   * Pings on the connection that is kept for it.
   *
   * @returns false if the connection is an earlier one and new ones may differ: it is read-only, or gets other defaults now
   * @throws ServiceError `unavailable` when a request that came now would fail
   */
  async #answersAsNew(): Promise<boolean> {
    const connection = await PostgresConnection.open(this.probes, pingPatienceMs);
    const ask = (query: Query) => connection.askAlone(query);
    try {
      const [session] = (await ask(sessionState)) as readonly [{ readonly readOnly: string }];
      const text = JSON.stringify(session);
      const isChanged = this.#session !== undefined && this.#session !== text;
      this.#session = text;
      if (isChanged) renewConnections(this.pool);
      const isReadOnly = session.readOnly === 'on';
      if (!connection.isNew && (isChanged || isReadOnly)) return false;
      if (isReadOnly) throw explainFailure(readOnlyError(), this.probes.server);
      await answerAll(requireMigrations(findTable), ask);
      return true;
    } finally {
      connection.release();
    }
  }

  close(): Promise<void> {
    // A pool that ends drops requests that still wait for a connection, so those finish first.
    this.#closed ??= Promise.allSettled(this.#underWay).then(this.endPool);
    return this.#closed;
  }

  #attempt<T>(work: () => Promise<T>): Promise<T> {
    return this.#track(() => untilNoRaceIsLost(work));
  }

  #track<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closed !== undefined) {
      return Promise.reject(new ServiceError('unavailable', 'The store is closed'));
    }
    const outcome = work().finally(() => this.#underWay.delete(outcome));
    this.#underWay.add(outcome);
    return outcome;
  }

  /** Runs a query as a transaction of its own. @param isList - whether it waits for its turn */
  async #ask(query: Query, isList = false): Promise<readonly unknown[]> {
    this.#probation.check(query.sql); // before it waits for a connection that it would not use
    // A page that waits for its count among other lists would stay in memory for as long.
    const waits = isList && query.isShort !== true;
    const work = () => this.#onConnection(query, (connection) => connection.askAlone(query));
    return await (waits ? this.#lists.run(work, query.sql) : work());
  }

  async #runInTransaction<T>(task: SqlTask<T>): Promise<T> {
    const first = task.next([]);
    if (first.done === true) return first.value; // a task without queries needs no connection
    this.#probation.check(first.value.sql);
    return await this.#onConnection(first.value, (connection) =>
      connection.transaction(() => answerAll(task, (query) => connection.ask(query), first)),
    );
  }

  async #transact<T>(work: (transaction: SqlTransaction) => Promise<T>): Promise<T> {
    const connection = await PostgresConnection.open(this.pool, patienceMs);
    const statements = {
      askForHook: (query: Query) => connection.askForHook(query),
      run: <Outcome>(task: SqlTask<Outcome>) =>
        answerAll(task, (query) => this.#probation.run(query.sql, () => connection.ask(query))),
    };
    try {
      return await connection.transaction(() => withStatements('postgres', statements, work));
    } finally {
      connection.release();
    }
  }

  /** @param kind - the query, or the first one */
  async #onConnection<T>({ sql }: Query, work: (connection: PostgresConnection) => Promise<T>): Promise<T> {
    const connection = await PostgresConnection.open(this.pool, patienceMs);
    try {
      return await this.#probation.run(sql, () => work(connection));
    } finally {
      connection.release();
    }
  }
}

/** The settings that a new session would get from the database and the role, which an earlier one lacks, and whether this one only reads. */
const sessionState: Query = {
  sql: `select current_setting($1) as "readOnly", array(
    select format('%s %s', setrole, setconfig) from pg_db_role_setting
    where setdatabase in (0, (select oid from pg_database where datname = current_database()))
      and setrole in (0, (select oid from pg_roles where rolname = session_user))
    order by 1) as defaults`,
  parameters: ['transaction_read_only'],
};

async function untilNoRaceIsLost<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      // Each such failure closes a connection, so they come to an end.
      if (isOutdated(error)) continue;
      if (attempt === maxAttempts || !isLostRace(error)) throw error;
    }
    // The first retry is immediate. More lost races mean many writers, and random pauses spread them.
    if (attempt > 1) await setTimeout(Math.random() * longestPauseMs);
  }
}

async function answerAll<T>(
  task: SqlTask<T>,
  ask: (query: Query) => Promise<readonly unknown[]>,
  first = task.next([]),
): Promise<T> {
  let next = first;
  while (next.done !== true) next = task.next(await ask(next.value));
  return next.value;
}
