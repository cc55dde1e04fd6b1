/** Runs tasks on the connections of a pool. */
import { setTimeout } from 'node:timers/promises';
import { ServiceError } from '../../model/error.js';
import type { Post } from '../../model/post.js';
import type { Timestamp } from '../../model/timestamp.js';
import type { NewPost } from '../../ports/post-store.js';
import type { SqlRunner } from '../sql/query/runner.js';
import type { Query } from '../sql/query/query.js';
import { ping, type SqlTask } from '../sql/query/task.js';
import { PostgresConnection, type PostgresPool } from './connection.js';
import { createPost, postgresBuilder, postgresDialect } from './dialect.js';
import { isLostRace, Probation } from './errors.js';

/** Losing this many races in a row is no longer chance. */
const maxAttempts = 25;
const longestPauseMs = 20;

/**
 * The maximum wait for an answer, because the server may hang. The database's own deadlines (`databaseDeadlines`) are shorter, so
 * that it executes nothing after the wait has ended.
 */
const patienceMs = 30_000;

// The isolation level is explicit, because a database may be configured with another default.
const begin: Query = { sql: 'begin isolation level read committed', parameters: [] };
/**
 * For transactions of many writes. PostgreSQL plans the checks of references at the first write and keeps the plan: made while the
 * tables are small, the plan would scan a whole table for each later write.
 */
const preferIndexes: Query = { sql: 'set local enable_seqscan = off', parameters: [] };
const commit: Query = { sql: 'commit', parameters: [] };
const rollback: Query = { sql: 'rollback', parameters: [] };

export class PostgresRunner implements SqlRunner {
  readonly builder = postgresBuilder;
  readonly dialect = postgresDialect;
  readonly #pool: PostgresPool;
  readonly #endPool: () => Promise<void>;
  readonly #probation = new Probation();
  readonly #underWay = new Set<Promise<unknown>>();
  #closed: Promise<void> | undefined;

  /** @param endPool - what to do with the pool when the runner closes */
  constructor(pool: PostgresPool, endPool: () => Promise<void>) {
    this.#pool = pool;
    this.#endPool = endPool;
  }

  run<T>(task: () => SqlTask<T>): Promise<T> {
    return this.#attempt(() => this.#converse(task(), answerEach));
  }

  runAtomically<T>(task: () => SqlTask<T>): Promise<T> {
    return this.#attempt(() => this.#converse(task(), answerInTransaction));
  }

  runAllAtomically<Stop>(tasks: AsyncIterable<() => SqlTask<Stop | undefined>>): Promise<Stop | undefined> {
    return this.#track(() => this.#runAll(tasks));
  }

  async #runAll<Stop>(tasks: AsyncIterable<() => SqlTask<Stop | undefined>>): Promise<Stop | undefined> {
    const connection = await PostgresConnection.open(this.#pool, patienceMs);
    try {
      const work = () => answerStream(tasks, connection);
      return await inTransaction(connection, work, (stop) => stop === undefined);
    } catch (error) {
      if (!isLostRace(error)) throw error;
      throw new ServiceError('conflict', 'Somebody else wrote the same at the same time: try again', {
        cause: error,
      });
    } finally {
      connection.release();
    }
  }

  createPost(post: NewPost, now: Timestamp): Promise<Pick<Post, 'id' | 'createdAt'> | 'author-not-found'> {
    return this.run(() => createPost(post, now));
  }

  ping(): Promise<void> {
    return this.run(ping);
  }

  close(): Promise<void> {
    // A pool that ends drops requests that still wait for a connection, so those finish first.
    this.#closed ??= Promise.allSettled(this.#underWay).then(this.#endPool);
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

  async #converse<T>(task: SqlTask<T>, answer: typeof answerEach): Promise<T> {
    const first = task.next([]);
    if (first.done === true) return first.value; // a task without queries needs no connection
    const { value: query } = first;
    this.#probation.check(query.sql); // before it waits for a connection that it would not use
    const connection = await PostgresConnection.open(this.#pool, patienceMs);
    try {
      return await this.#probation.run(query.sql, () => answer(task, query, connection));
    } finally {
      connection.release();
    }
  }
}

async function untilNoRaceIsLost<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === maxAttempts || !isLostRace(error)) throw error;
    }
    // The first retry is immediate. More lost races mean many writers, and random pauses spread them.
    if (attempt > 1) await setTimeout(Math.random() * longestPauseMs);
  }
}

/** Each query is its own transaction. */
async function answerEach<T>(task: SqlTask<T>, first: Query, connection: PostgresConnection): Promise<T> {
  return await answerAll(task, first, (query) => connection.ask(query, true));
}

async function answerInTransaction<T>(
  task: SqlTask<T>,
  first: Query,
  connection: PostgresConnection,
): Promise<T> {
  return await inTransaction(connection, () => answerAll(task, first, (query) => connection.ask(query)));
}

async function answerAll<T>(
  task: SqlTask<T>,
  first: Query,
  ask: (query: Query) => Promise<readonly unknown[]>,
): Promise<T> {
  let next = task.next(await ask(first));
  while (next.done !== true) next = task.next(await ask(next.value));
  return next.value;
}

/** @param isKept - whether the work is committed; all of it unless given */
async function inTransaction<T>(
  connection: PostgresConnection,
  work: () => Promise<T>,
  isKept: (outcome: T) => boolean = () => true,
): Promise<T> {
  await connection.ask(begin);
  try {
    const outcome = await work();
    if (isKept(outcome)) await connection.ask(commit, true);
    else await connection.ask(rollback);
    return outcome;
  } catch (error) {
    await connection.ask(rollback).catch(() => undefined); // if this fails, the connection is broken and the transaction has ended
    throw error;
  }
}

/** @returns what the first task that stops the run returns */
async function answerStream<Stop>(
  tasks: AsyncIterable<() => SqlTask<Stop | undefined>>,
  connection: PostgresConnection,
): Promise<Stop | undefined> {
  await connection.ask(preferIndexes);
  for await (const makeTask of tasks) {
    const task = makeTask();
    const first = task.next([]);
    const stop =
      first.done === true
        ? first.value
        : await answerAll(task, first.value, (query) => connection.ask(query));
    if (stop !== undefined) return stop;
  }
  return undefined;
}
