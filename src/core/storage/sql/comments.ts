/** The comments of the SQL storages. */
import { parseId } from '../../model/id.js';
import type { CommentFilter, CommentStore } from '../../ports/order-store.js';
import type { Selection } from './query/pages.js';
import { listedRecordsIn } from './query/record-queries.js';
import type { SqlRunner, TasksOf } from './query/runner.js';
import { commentColumns } from './query/schema.js';
import { rowOf } from './query/task.js';

export function commentTasks(runner: SqlRunner): TasksOf<CommentStore> {
  const { builder } = runner;
  const { find, list, count } = listedRecordsIn(runner, 'comments', commentColumns);

  /** The comments of a filter; undefined for every comment. */
  function matching({ orderId, concerning }: CommentFilter): Selection<'comments'> | undefined {
    if (orderId === undefined && concerning === undefined) return undefined;
    let comments = builder.selectFrom('comments');
    if (orderId !== undefined) comments = comments.where('order_id', '=', orderId);
    if (concerning === undefined) return { parts: [comments], counter: undefined };
    const parts = [
      comments.where('user_id', '=', concerning),
      comments.where('order_user_id', '=', concerning).where('user_id', '<>', concerning),
    ];
    return { parts, counter: undefined };
  }

  return {
    find,

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

    *list(filter, slice) {
      return matchesNothing(filter) ? [] : yield* list(slice, matching(filter));
    },

    *count(filter) {
      return matchesNothing(filter) ? 0 : yield* count(matching(filter));
    },
  };
}

function matchesNothing({ orderId, concerning }: CommentFilter): boolean {
  return [orderId, concerning].some((id) => id !== undefined && parseId(id) === undefined);
}
