/** The stored credentials of callers: API keys, and identities at a provider. */
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
  /** Accurate to the minute; undefined until the key is used. */
  readonly lastUsedAt: Timestamp | undefined;
}

export const apiKeyNameBounds: TextBounds = { min: 1, max: 100 };

/** Unique as a pair, and never given to another person (OpenID Connect Core §5.7). */
export interface ExternalIdentity {
  /** The provider's issuer identifier: an absolute URL, compared character by character. */
  readonly issuer: string;
  /** The person's identifier at that provider. */
  readonly subject: string;
}
