/** A post of a user. It never changes. */
import type { Id } from './id.js';
import type { StoredOf } from './stored.js';
import { checkText, type TextBounds } from './text.js';
import type { Timestamp } from './timestamp.js';

export interface Post {
  readonly id: Id;
  readonly title: string;
  readonly content: string;
  readonly authorId: Id;
  /** Unique among the posts of a store, and in the order of the ids. */
  readonly createdAt: Timestamp;
  readonly stored?: StoredOf<'Post'> | undefined;
}

const postBounds = {
  title: { min: 1, max: 300 },
  content: { min: 1, max: 100_000 },
} satisfies Record<string, TextBounds>;

/** @throws ServiceError `invalid-input` for the first text that breaks its rule */
export function checkPostTexts({ title, content }: Pick<Post, 'title' | 'content'>): void {
  checkText('title', title, postBounds.title);
  checkText('content', content, postBounds.content);
}
