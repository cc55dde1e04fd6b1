/** What the stores ask of a database: to run their steps, and to say what its SQL says differently. */
import type { Expression, Kysely, RawBuilder } from 'kysely';
import type { Id } from '../../model/id.js';
import type { Post } from '../../model/post.js';
import type { Timestamp } from '../../model/timestamp.js';
import type { NewPost } from '../../ports/post-store.js';
import type { SqlInteger, Tables } from './schema.js';
import type { Step } from './step.js';

/** The lists that are asked for several owners at once. */
export interface OwnedTables {
  readonly orders: 'user_id';
  readonly posts: 'author_id';
}

/** Where the two databases need different words. */
export interface SqlDialect {
  /** A stored moment as the core writes it, with all six decimals. @param column with its table, where that is not plain */
  readonly moment: (column: string) => RawBuilder<Timestamp>;

  /** Ids given as one value, however many they are, for the right side of `in`. */
  readonly idList: (ids: readonly Id[]) => Expression<SqlInteger>;

  /** The ids of the first rows, at most `limit` of each owner and `total` in all, for the right side of `in`; reads no more rows. */
  readonly firstIdsOf: <Table extends keyof OwnedTables>(
    table: Table,
    owner: OwnedTables[Table],
    owners: readonly Id[],
    limit: number,
    total?: number,
  ) => Expression<SqlInteger>;
}

/**
 * One database that steps can be run on. A step that loses a race against another writer (a deadlock, a key that was taken
 * or a row that went meanwhile, a database that is locked) is undone and run again: then it sees what the other did.
 */
export interface SqlSession {
  /** Builds queries; it has no connection of its own. */
  readonly builder: Kysely<Tables>;
  readonly dialect: SqlDialect;

  /** Runs a step whose queries count one by one: one query is one transaction. */
  run<T>(step: () => Step<T>): Promise<T>;

  /** Runs a step in one transaction. */
  runAtomically<T>(step: () => Step<T>): Promise<T>;

  /**
   * Runs steps as they come, in one transaction that no other step of this process comes into. The first step that returns
   * something ends it, and undoes all of it; so does a source that fails. It is not run again after a lost race, since its
   * source cannot be: that is a `conflict`.
   */
  runAllAtomically<Stop>(steps: AsyncIterable<() => Step<Stop | undefined>>): Promise<Stop | undefined>;

  /**
   * Stores a post under the lock that lets one create commit after the other, because what is best done under a lock differs.
   *
   * @param post with a canonical `authorId`
   */
  createPost(post: NewPost, now: Timestamp): Promise<Pick<Post, 'id' | 'createdAt'> | 'author-not-found'>;

  /** Ends the connections that the session made, once the steps under way are done. */
  close(): Promise<void>;
}
