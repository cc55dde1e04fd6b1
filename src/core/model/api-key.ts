/** An API key, as an admin may see it: the key itself is shown once, when it is created, and never stored. */
import type { Id } from './id.js';
import type { TextBounds } from './text.js';
import type { Timestamp } from './timestamp.js';

export interface ApiKey {
  readonly id: Id;
  /** The purpose of the key, in an admin's words. */
  readonly name: string;
  /** Whether the key is accepted. An inactive key is never activated again. */
  readonly active: boolean;
  readonly createdAt: Timestamp;
  /** To the minute; undefined until it is used. */
  readonly lastUsedAt: Timestamp | undefined;
}

export const apiKeyNameBounds: TextBounds = { min: 1, max: 100 };
