/** Joins queries of the same kind, and posts, that wait in this process: they share one exchange with the server and one transaction. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../../model/error.js';
import { type Timestamp, latestOf } from '../../model/timestamp.js';
import type { NewPost } from '../../ports/post-store.js';
import type { Query } from '../sql/query/query.js';
import type { AssignedPost } from '../sql/query/runner.js';

interface Waiting<Outcome> {
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs a batch in one transaction. If PostgreSQL refuses one of several, which undoes all of them, each is run again on its own, so
 * that only the refused one fails. Never rejects.
 *
 * @param run - returns the outcomes in the order of the batch; a ServiceError concerns the whole batch
 * @param otherwise - the outcome of one for which `run` returns none
 */
async function answerBatch<Outcome, Each extends Waiting<Outcome>>(
  batch: readonly Each[],
  run: (batch: readonly Each[]) => Promise<readonly Outcome[]>,
  otherwise: Outcome,
): Promise<void> {
  try {
    const outcomes = await run(batch);
    for (const [index, { resolve }] of batch.entries()) resolve(outcomes[index] ?? otherwise);
  } catch (error) {
    if (batch.length > 1 && !(error instanceof ServiceError)) {
      for (const each of batch) await answerBatch([each], run, otherwise);
      return;
    }
    for (const { reject } of batch) reject(error);
  }
}

type Rows = readonly unknown[];

/** Runs queries on one connection. @param close - called when there is a connection: no more queries are added then */
type RunTogether = (kind: Query, close: () => readonly Query[]) => Promise<readonly Rows[]>;

interface WaitingQuery extends Waiting<Rows> {
  readonly query: Query;
}

/** The maximum size of a batch: more would gain little, and one connection runs its queries on one core of PostgreSQL. */
const mostQueries = 16;

/**
 * Joins prepared queries of the same kind that begin in the same turn of the event loop, or that wait for a connection together. Those of
 * other kinds are not joined, because the table of one may be locked.
 */
export class QueryBatches {
  readonly #run: RunTogether;
  /** The last batch of each kind, by the text of its query. */
  readonly #open = new Map<string, WaitingQuery[]>();

  constructor(run: RunTogether) {
    this.#run = run;
  }

  /** @throws ServiceError, and PostgreSQL's error, which is that of this query only */
  ask(query: Query): Promise<Rows> {
    return new Promise((resolve, reject) => {
      const waiting = { query, resolve, reject };
      const open = this.#open.get(query.sql);
      if (open !== undefined && open.length < mostQueries) {
        open.push(waiting);
        return;
      }
      const batch = [waiting];
      this.#open.set(query.sql, batch);
      setImmediate(() => void this.#answer(query, batch));
    });
  }

  #answer(kind: Query, batch: readonly WaitingQuery[]): Promise<void> {
    const close = () => {
      if (this.#open.get(kind.sql) === batch) this.#open.delete(kind.sql);
    };
    const run = async (part: readonly WaitingQuery[]) => {
      try {
        return await this.#run(kind, () => {
          close();
          return part.map(({ query }) => query);
        });
      } finally {
        // It may fail before there is a connection.
        close();
      }
    };
    return answerBatch<Rows, WaitingQuery>(batch, run, []);
  }
}

export type CreatedPost = AssignedPost | 'author-not-found';

/** @returns one entry per post, in their order */
type WritePosts = (posts: readonly NewPost[], now: Timestamp) => Promise<readonly CreatedPost[]>;

interface WaitingPost extends Waiting<CreatedPost> {
  readonly post: NewPost;
  readonly now: Timestamp;
}

const mostPosts = 100;
const mostCharacters = 1_000_000;

/**
 * The pause after a write of several posts, in milliseconds: clients that have their answers send their next posts in it. The lock is
 * not held meanwhile.
 */
const pauseMs = 2;

/** Posts are written under one lock and with one commit. */
export class PostBatches {
  readonly #write: WritePosts;
  #waiting: WaitingPost[] = [];
  #isWriting = false;

  constructor(write: WritePosts) {
    this.#write = write;
  }

  /** The time of a post is `now`, or up to the time of the write if other posts are written with it. */
  create(post: NewPost, now: Timestamp): Promise<CreatedPost> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ post, now, resolve, reject });
      if (!this.#isWriting) void this.#writeAll();
    });
  }

  /** Never rejects. */
  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      const batch = this.#nextBatch();
      const write = (part: readonly WaitingPost[]) =>
        this.#write(
          part.map(({ post }) => post),
          part.map(({ now }) => now).reduce(latestOf),
        );
      await answerBatch<CreatedPost, WaitingPost>(batch, write, 'author-not-found');
      if (batch.length > 1) await sleep(pauseMs);
    }
    this.#isWriting = false;
  }

  #nextBatch(): readonly WaitingPost[] {
    let [count, characters] = [0, 0];
    for (const { post } of this.#waiting) {
      characters += post.title.length + post.content.length;
      if (count === mostPosts || (count > 0 && characters > mostCharacters)) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }
}
