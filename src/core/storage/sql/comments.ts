/** The comments of the SQL storages. */
import { parseId, type Id } from '../../model/id.js';
import type { Comment } from '../../model/comment.js';
import type { Timestamp } from '../../model/timestamp.js';
import type { CommentFilter, CommentStore, NewComment } from '../../ports/comment-store.js';
import type { Slice } from '../../ports/slice.js';
import type { SqlRunner, SqlDialect } from './query/runner.js';
import { rowOf, rowsOf, type SqlTask } from './query/task.js';
import type { Compilable } from 'kysely';
import { rowCount, type CountRow } from './query/counters.js';
import { PreparedQuery } from './query/prepared-query.js';
import type { SqlInteger } from './query/schema.js';
import { stretchOf } from './query/slice.js';

interface CommentRow {
  readonly id: SqlInteger;
  readonly order_id: SqlInteger;
  readonly user_id: SqlInteger;
  readonly text: string;
  readonly created_at: Timestamp;
}

class CommentQueries {
  readonly #builder: SqlRunner['builder'];
  readonly #columns: ReturnType<typeof commentColumns>;
  readonly #countAll: PreparedQuery<CountRow>;

  readonly byId: PreparedQuery<CommentRow>;

  constructor({ builder, dialect }: SqlRunner) {
    this.#builder = builder;
    this.#columns = commentColumns(dialect);
    const comment = builder.selectFrom('comments').select(this.#columns).where('id', '=', '1');
    this.byId = new PreparedQuery('comments.byId', comment);
    this.#countAll = rowCount(builder, 'comments');
  }

  list(filter: CommentFilter, slice: Slice): Compilable<CommentRow> {
    const { after, limit, offset } = stretchOf(slice);
    return this.#matching(filter)
      .select(this.#columns)
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .offset(offset);
  }

  count(filter: CommentFilter): Compilable<CountRow> {
    if (filter.orderId === undefined && filter.concerning === undefined) return this.#countAll.with();
    return this.#matching(filter).select(({ fn }) => fn.countAll().as('count'));
  }

  #matching({ orderId, concerning }: CommentFilter) {
    let comments = this.#builder.selectFrom('comments');
    if (orderId !== undefined) comments = comments.where('order_id', '=', orderId);
    if (concerning !== undefined) {
      comments = comments.where((eb) =>
        eb.or([eb('user_id', '=', concerning), eb('order_user_id', '=', concerning)]),
      );
    }
    return comments;
  }

  /** Returns no row when there is no such order or no such user. */
  insert({ orderId, userId, text }: NewComment, now: Timestamp): Compilable<Pick<CommentRow, 'id'>> {
    return this.#builder
      .insertInto('comments')
      .columns(['order_id', 'user_id', 'order_user_id', 'text', 'created_at'])
      .expression((eb) =>
        eb
          .selectFrom(['orders', 'users'])
          .where('orders.id', '=', orderId)
          .where('users.id', '=', userId)
          .select(['orders.id as order_id', 'users.id as user_id', 'orders.user_id as order_user_id'])
          .select([eb.val(text).as('text'), eb.val(now).as('created_at')]),
      )
      .returning('id');
  }

  order(id: Id): Compilable<{ readonly id: SqlInteger }> {
    return this.#builder.selectFrom('orders').select('id').where('id', '=', id);
  }
}

function commentColumns({ moment }: SqlDialect) {
  return ['id', 'order_id', 'user_id', 'text', moment('created_at').as('created_at')] as const;
}

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
