/** The comments of the memory storage. */
import type { Comment } from '../../model/comment.js';
import type { Timestamp } from '../../model/timestamp.js';
import type { CommentFilter, CommentStore, NewComment } from '../../ports/comment-store.js';
import type { Slice } from '../../ports/slice.js';
import type { Table } from './table.js';
import type { Tables } from './tables.js';

/** No method awaits anything, so each is atomic. */
export class MemoryComments implements CommentStore {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  create(fields: NewComment, now: Timestamp): Promise<Comment | 'order-not-found' | 'user-not-found'> {
    return Promise.resolve(this.add(fields, now));
  }

  /** Does the work of `create` synchronously, for methods that must stay atomic. */
  add({ orderId, userId, text }: NewComment, now: Timestamp): Comment | 'order-not-found' | 'user-not-found' {
    const { orders, users, comments } = this.#tables;
    if (orders.get(orderId) === undefined) return 'order-not-found';
    if (users.get(userId) === undefined) return 'user-not-found';
    const comment = Object.freeze<Comment>({ id: comments.nextId(), orderId, userId, text, createdAt: now });
    comments.add(comment);
    return comment;
  }

  find(id: string): Promise<Comment | undefined> {
    return Promise.resolve(this.#tables.comments.get(id));
  }

  list(filter: CommentFilter, slice: Slice): Promise<readonly Comment[]> {
    return Promise.resolve(this.#rowsOf(filter)?.slice(slice, this.#testOf(filter)) ?? []);
  }

  count(filter: CommentFilter): Promise<number> {
    return Promise.resolve(this.#rowsOf(filter)?.count(this.#testOf(filter)) ?? 0);
  }

  #rowsOf({ orderId }: CommentFilter): Table<Comment> | undefined {
    return orderId === undefined ? this.#tables.comments : this.#tables.commentsByOrder.get(orderId);
  }

  #testOf({ concerning }: CommentFilter): ((comment: Comment) => boolean) | undefined {
    if (concerning === undefined) return undefined;
    const { orders } = this.#tables;
    return ({ userId, orderId }) => userId === concerning || orders.get(orderId)?.userId === concerning;
  }
}
