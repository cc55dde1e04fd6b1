/** The part of the storage port that keeps comments. */
import type { Comment } from '../model/comment.js';
import type { Timestamp } from '../model/timestamp.js';
import type { Slice } from './slice.js';

/** The fields of a new comment; the store adds the id and the time. */
export type NewComment = Omit<Comment, 'id' | 'createdAt'>;

/** All conditions must hold; an undefined one is not applied, and an unknown id matches no comment. */
export interface CommentFilter {
  readonly orderId: string | undefined;
  /** Comments by this user, and those on this user's orders. */
  readonly concerning: string | undefined;
}

/** Matches every comment. */
export const everyComment: CommentFilter = { orderId: undefined, concerning: undefined };

export interface CommentStore {
  /** Stores a comment in one step, for an order and a user that exist at that moment. */
  create(comment: NewComment, now: Timestamp): Promise<Comment | 'order-not-found' | 'user-not-found'>;

  find(id: string): Promise<Comment | undefined>;

  /** Ascending by id. */
  list(filter: CommentFilter, slice: Slice): Promise<readonly Comment[]>;

  /** With no filter the cost must not grow with the number of comments. */
  count(filter: CommentFilter): Promise<number>;
}
