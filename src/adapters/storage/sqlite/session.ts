/** Runs steps on one SQLite connection. */
import type { Database, Statement } from 'better-sqlite3';
import { ServiceError } from '../../../core/model/error.js';
import type { Post } from '../../../core/model/post.js';
import type { Timestamp } from '../../../core/model/timestamp.js';
import type { NewPost } from '../../../core/ports/post-store.js';
import type { SqlSession } from '../sql/session.js';
import type { Query, Step } from '../sql/step.js';
import { isBusy, onceFree } from './busy.js';
import { createPost } from './create-post.js';
import { sqliteBuilder, sqliteDialect } from './dialect.js';

/**
 * A step runs within one call, without a pause: it shares the connection with nobody, and holds the database against other
 * processes only as long as its queries take.
 */
export class SqliteSession implements SqlSession {
  readonly builder = sqliteBuilder;
  readonly dialect = sqliteDialect;
  readonly #database: Database;
  /** By their text. The stores have a few hundred texts at most. */
  readonly #statements = new Map<string, Statement>();
  readonly #waiting = new Set<Promise<unknown>>();
  #isClosing = false;

  constructor(database: Database) {
    this.#database = database;
  }

  run<T>(step: () => Step<T>): Promise<T> {
    return this.#attempt(() => this.#runThrough(step()));
  }

  runAtomically<T>(step: () => Step<T>): Promise<T> {
    return this.#attempt(() => {
      this.#ask({ sql: 'begin immediate', parameters: [] });
      try {
        const outcome = this.#runThrough(step());
        this.#ask({ sql: 'commit', parameters: [] });
        return outcome;
      } catch (error) {
        // Some errors have ended the transaction already.
        if (this.#database.inTransaction) this.#ask({ sql: 'rollback', parameters: [] });
        throw error;
      }
    });
  }

  createPost(post: NewPost, now: Timestamp): Promise<Pick<Post, 'id' | 'createdAt'> | 'author-not-found'> {
    return this.runAtomically(() => createPost(post, now));
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await Promise.allSettled(this.#waiting);
    this.#database.close();
  }

  async #attempt<T>(work: () => T): Promise<T> {
    if (this.#isClosing) throw new ServiceError('unavailable', 'The store is closed');
    try {
      return work();
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
    return await this.#wait(onceFree(work));
  }

  #wait<T>(outcome: Promise<T>): Promise<T> {
    const settled = outcome.finally(() => this.#waiting.delete(settled));
    this.#waiting.add(settled);
    return settled;
  }

  #runThrough<T>(step: Step<T>): T {
    let next = step.next([]);
    while (next.done !== true) next = step.next(this.#ask(next.value));
    return next.value;
  }

  #ask({ sql, parameters }: Query): readonly unknown[] {
    let statement = this.#statements.get(sql);
    if (statement === undefined) this.#statements.set(sql, (statement = this.#database.prepare(sql)));
    if (statement.reader) return statement.all(...parameters);
    statement.run(...parameters);
    return [];
  }
}
