/** The comments of the SQL storages. */
import type { Selectable } from 'kysely';
import { parseId } from '../../model/id.js';
import type { Comment } from '../../model/order.js';
import type { CommentFilter, CommentStore } from '../../ports/order-store.js';
import { rowCount, stretchOf } from './query/clauses.js';
import { PreparedQuery } from './query/prepared.js';
import type { SqlRunner, TasksOf } from './query/runner.js';
import type { CommentsTable } from './query/schema.js';
import { countOf, rowOf, rowsOf } from './query/task.js';

export function commentTasks({ builder, dialect: { moment } }: SqlRunner): TasksOf<CommentStore> {
  const createdAt = moment('created_at').as('created_at');
  const columns = ['id', 'order_id', 'user_id', 'text', createdAt] as const;
  const comment = builder.selectFrom('comments').select(columns).where('id', '=', '1');
  const byId = new PreparedQuery('comments.byId', comment);
  const countAll = rowCount(builder, 'comments');

  function matching({ orderId, concerning }: CommentFilter) {
    let comments = builder.selectFrom('comments');
    if (orderId !== undefined) comments = comments.where('order_id', '=', orderId);
    if (concerning !== undefined) {
      comments = comments.where((eb) =>
        eb.or([eb('user_id', '=', concerning), eb('order_user_id', '=', concerning)]),
      );
    }
    return comments;
  }

  return {
    *create({ orderId, userId, text }, now) {
      if (parseId(orderId) === undefined) return 'order-not-found';
      if (parseId(userId) !== undefined) {
        const row = yield* rowOf(
          builder
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
            .returning('id'),
        );
        if (row !== undefined) return { id: String(row.id), orderId, userId, text, createdAt: now };
      }
      const order = yield* rowOf(builder.selectFrom('orders').select('id').where('id', '=', orderId));
      return order === undefined ? 'order-not-found' : 'user-not-found';
    },

    *find(id) {
      if (parseId(id) === undefined) return undefined;
      const row = yield* rowOf(byId.with(id));
      return row && commentOf(row);
    },

    *list(filter, slice) {
      if (matchesNothing(filter)) return [];
      const { after, limit, offset } = stretchOf(slice);
      const comments = matching(filter).select(columns).where('id', '>', after);
      return (yield* rowsOf(comments.orderBy('id').limit(limit).offset(offset))).map(commentOf);
    },

    *count(filter) {
      if (matchesNothing(filter)) return 0;
      const { orderId, concerning } = filter;
      if (orderId === undefined && concerning === undefined) return yield* countOf(countAll.with());
      return yield* countOf(matching(filter).select(({ fn }) => fn.countAll().as('count')));
    },
  };
}

function matchesNothing({ orderId, concerning }: CommentFilter): boolean {
  return [orderId, concerning].some((id) => id !== undefined && parseId(id) === undefined);
}

function commentOf(row: Omit<Selectable<CommentsTable>, 'order_user_id'>): Comment {
  return {
    id: String(row.id),
    orderId: String(row.order_id),
    userId: String(row.user_id),
    text: row.text,
    createdAt: row.created_at,
  };
}
