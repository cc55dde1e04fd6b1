/** An API key, as an admin may see it: the key itself is shown once, when it is made, and never kept. */
import type { Id } from './id.js';
import type { TextBounds } from './text.js';
import type { Timestamp } from './timestamp.js';

export interface ApiKey {
  readonly id: Id;
  /** What it is for, in an admin's words. */
  readonly name: string;
  /** Whether it is accepted. Once it is not, it never is again. */
  readonly active: boolean;
  readonly createdAt: Timestamp;
  /** To the minute; undefined until it is used. */
  readonly lastUsedAt: Timestamp | undefined;
}

export const apiKeyNameBounds: TextBounds = { min: 1, max: 100 };
