/** The part of the storage port that keeps refresh tokens, as hashes: one that is not in it is not accepted. */
import type { Id } from '../model/id.js';
import type { Timestamp } from '../model/timestamp.js';

export interface NewRefreshToken {
  /** Unlike that of every other token. */
  readonly hash: string;
  readonly userId: Id;
  readonly expiresAt: Timestamp;
}

export interface RefreshToken extends NewRefreshToken {
  /** Whether another took its place. */
  readonly isUsed: boolean;
}

/**
 * Tokens that came of one sign-in, one out of the other, are a family. Only active users have tokens: `UserStore` deletes
 * them in the same step in which a user becomes inactive, is given another password hash, or goes.
 */
export interface RefreshTokenStore {
  /**
   * Stores the first token of a family in one step, if the user is active and still in this version: so nobody signs in with
   * a password that was changed meanwhile.
   */
  create(token: NewRefreshToken, userVersion: number): Promise<'created' | 'stale'>;

  find(hash: string): Promise<RefreshToken | undefined>;

  /**
   * Stores the next token of a family and marks this one as used, in one step: of several at once one wins. Where this one
   * was used before, somebody has a copy of it: the whole family is deleted.
   */
  replace(
    hash: string,
    next: Pick<NewRefreshToken, 'hash' | 'expiresAt'>,
  ): Promise<'replaced' | 'used' | 'not-found'>;

  /** Deletes a token with its family, in one step. */
  revoke(hash: string): Promise<void>;

  /**
   * Deletes tokens that were over before `now`, those first that have been for longest.
   *
   * @returns how many, at most `limit`
   */
  deleteExpired(now: Timestamp, limit: number): Promise<number>;
}
