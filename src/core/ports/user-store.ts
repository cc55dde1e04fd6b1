/** The part of the storage port that keeps users, and their identities at identity providers. */
import type { ExternalIdentity } from '../model/credentials.js';
import type { Id } from '../model/id.js';
import type { Slice } from '../model/page.js';
import type { Timestamp } from '../model/timestamp.js';
import type { StoredChange, StoredOf, StoredValues } from '../model/stored.js';
import { userFields, type User, type UserFields } from '../model/user.js';

/** The fields of a new user; the store adds the id, the version and the times. */
export interface NewUser extends UserFields {
  /** The output of a password hasher; a user without one cannot sign in with a password. */
  readonly passwordHash: string | undefined;
  readonly stored?: StoredOf<'User'> | undefined;
}

/** The fields to write; an undefined field is not changed, and null clears an optional one. */
export interface UserChange extends Changes<UserFields> {
  readonly passwordHash: string | undefined;
  /** Revokes all tokens of the user, as a new password does anyway. */
  readonly revokesTokens: true | undefined;
  readonly stored?: StoredChange<'User'>;
}

export type Changes<T> = {
  readonly [Field in keyof T]: T[Field] | undefined | (undefined extends T[Field] ? null : never);
};

/** A change of no field, to spread when only some fields change. */
export const unchangedUser = Object.fromEntries(
  [...userFields, 'passwordHash', 'revokesTokens'].map((field) => [field, undefined]),
) as { readonly [Field in keyof Omit<UserChange, 'stored'>]: undefined };

export const userFilterFields = ['role', 'status', 'city'] as const satisfies readonly (keyof User)[];

/** Exact matches, all of which must hold; an undefined field is not compared, and a value that no user has matches no user. */
export type UserFilter = { readonly [Field in (typeof userFilterFields)[number]]: string | undefined } & {
  /** Compared by `emailKey`. */
  readonly email: string | undefined;
  /** The values, or defaults, of the application's own fields. */
  readonly stored?: StoredValues | undefined;
};

/** Matches every user. */
export const everyUser: UserFilter = {
  role: undefined,
  status: undefined,
  city: undefined,
  email: undefined,
};

/** A user with the stored password hash, for sign-in; no other result has the hash. */
export interface UserCredentials {
  readonly user: User;
  readonly passwordHash: string | undefined;
}

/** Emails are unique by `emailKey`; the store enforces this, so that one of several simultaneous writers wins. */
export interface UserStore {
  /** Stores a user in one step. `createdAt` and `updatedAt` are `now`; the version is 1. */
  create(user: NewUser, now: Timestamp): Promise<User | 'email-taken'>;

  find(id: string): Promise<User | undefined>;

  /** @returns one entry per id, in the order of the ids, undefined if there is no such user; ids may repeat. */
  findMany(ids: readonly string[]): Promise<readonly (User | undefined)[]>;

  /** Finds by `emailKey`. */
  findCredentials(email: string): Promise<UserCredentials | undefined>;

  /** Ascending by id. */
  list(filter: UserFilter, slice: Slice): Promise<readonly User[]>;

  /** How many users match. With no filter the cost must not grow with the number of users. */
  count(filter: UserFilter): Promise<number>;

  /**
   * Writes the given fields and adds one to the version, in one step. `updatedAt` becomes `now`, unless the stored time is
   * later. A change that `revokesTokens` deletes the user's refresh tokens in the same step, and sets `sessionsFrom` to the
   * `revocationTime`.
   *
   * @param version write only when the stored version is this one; undefined for any version
   * @returns the user as stored; `stale` if the version differs; `last-admin` if no active admin would remain, even with several
   *   such changes at once; `email-taken` is checked last
   */
  update(
    id: string,
    change: UserChange,
    now: Timestamp,
    version?: number,
  ): Promise<User | 'not-found' | 'stale' | 'last-admin' | 'email-taken' | 'invalid'>;

  /**
   * Deletes a user with their posts, comments, refresh tokens, API keys and external identity, in one step. Their orders stay, and so
   * do the comments of other users on those orders.
   *
   * @param version delete only when the stored version is this one; undefined for any version
   * @returns `last-admin` for the only active admin, even with several deletions at once
   */
  delete(id: Id, version?: number): Promise<'deleted' | 'not-found' | 'stale' | 'last-admin'>;
}

/**
 * An identity belongs to one user as long as that user exists, and a user has at most one identity.
 *
 * Cascades: an identity is deleted with its user, in the step of `UserStore.delete`, and may then belong to a new one.
 */
export interface ExternalIdentityStore {
  /** @returns the user whom the identity belongs to */
  findUser(identity: ExternalIdentity): Promise<User | undefined>;

  /**
   * Finds the user whom the identity belongs to, or stores a new one with the identity, in one step: several first sign-ins
   * at once all get the same user.
   *
   * @param user the fields of a new user; `createdAt` and `updatedAt` are `now`, the version is 1
   * @returns `email-taken` when no user has the identity and another user has the email
   */
  findOrCreateUser(identity: ExternalIdentity, user: NewUser, now: Timestamp): Promise<User | 'email-taken'>;
}
