/** The part of the storage port that keeps users. */
import type { Id } from '../model/id.js';
import type { Timestamp } from '../model/timestamp.js';
import type { Role, User, UserStatus } from '../model/user.js';
import type { Slice } from './slice.js';

/** What a new user starts with; the store adds the id, the version and the times. */
export interface NewUser {
  readonly name: string;
  readonly email: string;
  readonly phone?: string;
  readonly city?: string;
  readonly role: Role;
  readonly status: UserStatus;
  /** As a password hasher wrote it; a user without one cannot sign in with a password. */
  readonly passwordHash?: string;
}

/** The fields to write; an absent one stays as it is, and null clears. */
export interface UserChange {
  readonly name?: string;
  readonly email?: string;
  readonly phone?: string | null;
  readonly city?: string | null;
  readonly role?: Role;
  readonly status?: UserStatus;
  readonly passwordHash?: string;
}

/** Exact matches, all of which must hold; an absent one is not applied, and a value nobody has matches nobody. */
export interface UserFilter {
  readonly role?: string | undefined;
  readonly status?: string | undefined;
  readonly city?: string | undefined;
}

/** What sign-in needs: the only way in which a password's hash leaves the store. */
export interface UserCredentials {
  readonly user: User;
  readonly passwordHash?: string;
}

/** Emails are unique by `emailKey`; the store enforces it, so that of several writers at once one wins. */
export interface UserStore {
  /** Stores a user in one step. `createdAt` and `updatedAt` are `now`; the version is 1. */
  create(user: NewUser, now: Timestamp): Promise<User | 'email-taken'>;

  find(id: string): Promise<User | undefined>;

  /** @returns one entry an id, in the order of the ids, undefined where there is no such user; ids may repeat. */
  findMany(ids: readonly string[]): Promise<readonly (User | undefined)[]>;

  /** Finds by `emailKey`. */
  findCredentials(email: string): Promise<UserCredentials | undefined>;

  /** Ascending by id. */
  list(filter: UserFilter, slice: Slice): Promise<readonly User[]>;

  /** How many users match. With no filter the cost must not grow with the number of users. */
  count(filter: UserFilter): Promise<number>;

  /**
   * Writes the fields that are given and adds one to the version, in one step. `updatedAt` becomes `now`, or stays where
   * it is when that is later. A change that `endsSessions` deletes the user's refresh tokens in the same step.
   *
   * @param version write only when the stored version is this one; undefined writes on any
   * @returns the user as stored; `stale` (checked before `email-taken`) when the version is another
   */
  update(
    id: string,
    change: UserChange,
    now: Timestamp,
    version?: number,
  ): Promise<User | 'not-found' | 'stale' | 'email-taken'>;

  /**
   * Deletes a user with their posts, comments, refresh tokens and API keys, in one step. Their orders, and the comments of others on those, stay.
   *
   * @param version delete only when the stored version is this one; undefined deletes on any
   */
  delete(id: Id, version?: number): Promise<'deleted' | 'not-found' | 'stale'>;
}
