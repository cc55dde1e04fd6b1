/** The comments of the SQL storages. */
import { parseId } from '../../model/id.js';
import type { Comment } from '../../model/comment.js';
import type { Timestamp } from '../../model/timestamp.js';
import type { CommentFilter, CommentStore, NewComment } from '../../ports/comment-store.js';
import type { Slice } from '../../ports/slice.js';
import { CommentQueries, type CommentRow } from './comment-queries.js';
import type { SqlRunner } from './runner.js';
import { rowOf, rowsOf, type SqlTask } from './task.js';

export class SqlComments implements CommentStore {
  readonly #runner: SqlRunner;
  readonly #queries: CommentQueries;

  constructor(runner: SqlRunner) {
    this.#runner = runner;
    this.#queries = new CommentQueries(runner);
  }

  create(comment: NewComment, now: Timestamp): Promise<Comment | 'order-not-found' | 'user-not-found'> {
    return this.#runner.run(() => this.creation(comment, now));
  }

  /** The work of `create`, for a transaction that does more. */
  *creation(comment: NewComment, now: Timestamp): SqlTask<Comment | 'order-not-found' | 'user-not-found'> {
    const { orderId, userId, text } = comment;
    if (parseId(orderId) === undefined) return 'order-not-found';
    if (parseId(userId) !== undefined) {
      const row = yield* rowOf(this.#queries.insert(comment, now));
      if (row !== undefined) return { id: String(row.id), orderId, userId, text, createdAt: now };
    }
    const order = yield* rowOf(this.#queries.order(orderId));
    return order === undefined ? 'order-not-found' : 'user-not-found';
  }

  find(id: string): Promise<Comment | undefined> {
    return this.#runner.run(() => this.#find(id));
  }

  *#find(id: string): SqlTask<Comment | undefined> {
    if (parseId(id) === undefined) return undefined;
    const row = yield* rowOf(this.#queries.byId.with(id));
    return row && commentOf(row);
  }

  list(filter: CommentFilter, slice: Slice): Promise<readonly Comment[]> {
    return this.#runner.run(() => this.#list(filter, slice));
  }

  *#list(filter: CommentFilter, slice: Slice): SqlTask<readonly Comment[]> {
    if (matchesNothing(filter)) return [];
    return (yield* rowsOf(this.#queries.list(filter, slice))).map(commentOf);
  }

  count(filter: CommentFilter): Promise<number> {
    return this.#runner.run(() => this.#count(filter));
  }

  *#count(filter: CommentFilter): SqlTask<number> {
    if (matchesNothing(filter)) return 0;
    return Number((yield* rowOf(this.#queries.count(filter)))?.count);
  }
}

function matchesNothing({ orderId, concerning }: CommentFilter): boolean {
  return [orderId, concerning].some((id) => id !== undefined && parseId(id) === undefined);
}

function commentOf(row: CommentRow): Comment {
  return {
    id: String(row.id),
    orderId: String(row.order_id),
    userId: String(row.user_id),
    text: row.text,
    createdAt: row.created_at,
  };
}
