/** A comment on an order. It never changes. */
import type { Id } from './id.js';
import type { TextBounds } from './text.js';
import type { Timestamp } from './timestamp.js';

export interface Comment {
  readonly id: Id;
  readonly orderId: Id;
  /** The user who wrote it. */
  readonly userId: Id;
  readonly text: string;
  readonly createdAt: Timestamp;
}

export const commentTextBounds: TextBounds = { min: 1, max: 5_000 };
