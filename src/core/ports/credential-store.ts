/** The part of the storage port that keeps the hashes of refresh tokens and of API keys. */
import type { ApiKey } from '../model/credentials.js';
import type { Id } from '../model/id.js';
import type { Slice } from '../model/page.js';
import type { Timestamp } from '../model/timestamp.js';

export interface NewRefreshToken {
  /** Unique among all tokens. */
  readonly hash: string;
  readonly userId: Id;
  readonly expiresAt: Timestamp;
}

export interface RefreshToken extends NewRefreshToken {
  /** Whether another token has replaced it. */
  readonly isUsed: boolean;
}

/**
 * The tokens of one sign-in form a family, in which each replaces the one before. Only active users have tokens: `UserStore`
 * deletes them in the same step in which a user becomes inactive, gets another password hash, or is deleted. These are its cascades.
 */
export interface RefreshTokenStore {
  /**
   * Stores the first token of a family in one step, if the user is active and still has this version: this prevents a sign-in with
   * a password that was changed in the meantime.
   */
  create(token: NewRefreshToken, userVersion: number): Promise<'created' | 'stale'>;

  find(hash: string): Promise<RefreshToken | undefined>;

  /**
   * Stores the next token of a family and marks this one as used, in one step: of several simultaneous callers, one wins. If the
   * token was already used, somebody has copied it, so the whole family is deleted.
   */
  replace(
    hash: string,
    next: Pick<NewRefreshToken, 'hash' | 'expiresAt'>,
  ): Promise<'replaced' | 'used' | 'not-found'>;

  /** Deletes a token with its family, in one step. */
  revoke(hash: string): Promise<void>;

  /** Deletes tokens that expired before `now`, oldest first. @returns the number of deleted tokens, at most `limit` */
  deleteExpired(now: Timestamp, limit: number): Promise<number>;
}

export interface NewApiKey {
  readonly name: string;
  /** The hash of the key; the key itself is not stored. */
  readonly hash: string;
  /** The user whose deletion also deletes the key; undefined for a key without an owner. */
  readonly ownerId: Id | undefined;
}

/** An API key with its hash; no other method returns the hash. */
export interface ApiKeyCredentials {
  readonly apiKey: ApiKey;
  readonly hash: string;
}

/** Cascades: a key is deleted with its owner, in the step of `UserStore.delete`. A key without an owner is never deleted. */
export interface ApiKeyStore {
  /** Stores an active key in one step. `createdAt` is `now`. */
  create(key: NewApiKey, now: Timestamp): Promise<ApiKey | 'owner-not-found'>;

  find(id: string): Promise<ApiKey | undefined>;

  findCredentials(id: string): Promise<ApiKeyCredentials | undefined>;

  /** Ascending by id, inactive ones included. */
  list(slice: Slice): Promise<readonly ApiKey[]>;

  count(): Promise<number>;

  /** Deactivates a key; calling it again changes nothing. */
  deactivate(id: string): Promise<'deactivated' | 'not-found'>;

  /** Deactivates the active keys of an owner in one step. @returns their number */
  deactivateAllOf(ownerId: string): Promise<number>;

  /** Sets `lastUsedAt`, unless the stored one is later. A deleted key is ignored. */
  recordUse(id: string, at: Timestamp): Promise<void>;
}
