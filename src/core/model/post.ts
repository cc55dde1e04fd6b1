/** A post: what users write. It never changes once it is made. */
import type { Id } from './id.js';
import { checkText, type TextBounds } from './text.js';
import type { Timestamp } from './timestamp.js';

export interface Post {
  readonly id: Id;
  readonly title: string;
  readonly content: string;
  readonly authorId: Id;
  /** No two posts of a store have the same; the order of these is the order of the ids. */
  readonly createdAt: Timestamp;
}

export const postBounds = {
  title: { min: 1, max: 300 },
  content: { min: 1, max: 100_000 },
} satisfies Record<string, TextBounds>;

/** @throws ServiceError `invalid-input` for the first text that breaks its rule */
export function checkPostTexts({ title, content }: Pick<Post, 'title' | 'content'>): void {
  checkText('title', title, postBounds.title);
  checkText('content', content, postBounds.content);
}
