/** The queries behind the comments of the SQL storages. */
import type { Compilable } from 'kysely';
import type { Id } from '../../model/id.js';
import type { Timestamp } from '../../model/timestamp.js';
import type { CommentFilter, NewComment } from '../../ports/comment-store.js';
import type { Slice } from '../../ports/slice.js';
import { rowCount, type CountRow } from './counters.js';
import { PreparedQuery } from './prepared-query.js';
import type { SqlInteger } from './schema.js';
import type { SqlDialect, SqlRunner } from './runner.js';
import { stretchOf } from './slice.js';

export interface CommentRow {
  readonly id: SqlInteger;
  readonly order_id: SqlInteger;
  readonly user_id: SqlInteger;
  readonly text: string;
  readonly created_at: Timestamp;
}

export class CommentQueries {
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
