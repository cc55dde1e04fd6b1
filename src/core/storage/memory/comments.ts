/** The comments of the memory storage. */
import type { Comment } from '../../model/comment.js';
import type { CommentFilter, CommentStore } from '../../ports/comment-store.js';
import type { AtOnce } from './store-of.js';
import type { Tables } from './tables.js';

export function memoryComments({ comments, commentsByOrder, orders, users }: Tables): AtOnce<CommentStore> {
  const rowsOf = ({ orderId }: CommentFilter) =>
    orderId === undefined ? comments : commentsByOrder.get(orderId);

  function testOf({ concerning }: CommentFilter): ((comment: Comment) => boolean) | undefined {
    if (concerning === undefined) return undefined;
    return ({ userId, orderId }) => userId === concerning || orders.get(orderId)?.userId === concerning;
  }

  return {
    create({ orderId, userId, text }, now) {
      if (orders.get(orderId) === undefined) return 'order-not-found';
      if (users.get(userId) === undefined) return 'user-not-found';
      const comment = Object.freeze<Comment>({
        id: comments.nextId(),
        orderId,
        userId,
        text,
        createdAt: now,
      });
      comments.add(comment);
      return comment;
    },

    find: (id) => comments.get(id),
    list: (filter, slice) => rowsOf(filter)?.slice(slice, testOf(filter)) ?? [],
    count: (filter) => rowsOf(filter)?.count(testOf(filter)) ?? 0,
  };
}
