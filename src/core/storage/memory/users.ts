/** The users of the memory storage. */
import type { Id } from '../../model/id.js';
import { latestOf, type Timestamp } from '../../model/timestamp.js';
import {
  emailKey,
  endsAdmin,
  endsSessions,
  isActiveAdmin,
  revocationTime,
  revokesTokens,
  type User,
} from '../../model/user.js';
import type { Slice } from '../../ports/slice.js';
import {
  userFilterFields,
  type NewUser,
  type UserChange,
  type UserCredentials,
  type UserFilter,
  type UserStore,
} from '../../ports/user-store.js';
import type { Tables } from './tables.js';

/** No method awaits anything, so each is atomic. */
export class MemoryUsers implements UserStore {
  readonly #tables: Tables;
  readonly #idsByEmail = new Map<string, Id>();
  readonly #passwordHashes = new Map<Id, string>();

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  create(user: NewUser, now: Timestamp): Promise<User | 'email-taken'> {
    return Promise.resolve(this.add(user, now));
  }

  /** Does the work of `create` synchronously, for methods that must stay atomic. */
  add(fields: NewUser, createdAt: Timestamp, updatedAt = createdAt): User | 'email-taken' {
    const key = emailKey(fields.email);
    if (this.#idsByEmail.has(key)) return 'email-taken';
    const user = Object.freeze<User>({
      id: this.#tables.users.nextId(),
      name: fields.name,
      email: fields.email,
      phone: fields.phone,
      city: fields.city,
      role: fields.role,
      status: fields.status,
      createdAt,
      updatedAt,
      sessionsFrom: undefined,
      version: 1,
    });
    this.#tables.users.add(user);
    this.#idsByEmail.set(key, user.id);
    if (fields.passwordHash !== undefined) this.#passwordHashes.set(user.id, fields.passwordHash);
    return user;
  }

  /** Whether a user has this email, by `emailKey`. */
  hasEmail(email: string): boolean {
    return this.#idsByEmail.has(emailKey(email));
  }

  find(id: string): Promise<User | undefined> {
    return Promise.resolve(this.#tables.users.get(id));
  }

  findMany(ids: readonly string[]): Promise<readonly (User | undefined)[]> {
    return Promise.resolve(ids.map((id) => this.#tables.users.get(id)));
  }

  findCredentials(email: string): Promise<UserCredentials | undefined> {
    const user = this.#tables.users.get(this.#idsByEmail.get(emailKey(email)) ?? '');
    if (user === undefined) return Promise.resolve(undefined);
    const passwordHash = this.#passwordHashes.get(user.id);
    return Promise.resolve({ user, passwordHash });
  }

  list(filter: UserFilter, slice: Slice): Promise<readonly User[]> {
    return Promise.resolve(this.#tables.users.slice(slice, testOf(filter)));
  }

  count(filter: UserFilter): Promise<number> {
    return Promise.resolve(this.#tables.users.count(testOf(filter)));
  }

  update(
    id: string,
    change: UserChange,
    now: Timestamp,
    version?: number,
  ): Promise<User | 'not-found' | 'stale' | 'last-admin' | 'email-taken'> {
    const user = this.#tables.users.get(id);
    if (user === undefined) return Promise.resolve('not-found');
    if (version !== undefined && version !== user.version) return Promise.resolve('stale');
    if (endsAdmin(change) && this.#isLastAdmin(user)) return Promise.resolve('last-admin');
    const key = emailKey(change.email ?? user.email);
    if ((this.#idsByEmail.get(key) ?? id) !== id) return Promise.resolve('email-taken');

    this.#idsByEmail.delete(emailKey(user.email));
    this.#idsByEmail.set(key, id);
    if (change.passwordHash !== undefined) this.#passwordHashes.set(id, change.passwordHash);
    const changed = changedUser(user, change, now);
    this.#tables.users.replace(changed);
    if (endsSessions(change)) this.#tables.refreshTokens.deleteOfUser(id);
    return Promise.resolve(changed);
  }

  delete(id: string, version?: number): Promise<'deleted' | 'not-found' | 'stale' | 'last-admin'> {
    const user = this.#tables.users.get(id);
    if (user === undefined) return Promise.resolve('not-found');
    if (version !== undefined && version !== user.version) return Promise.resolve('stale');
    if (this.#isLastAdmin(user)) return Promise.resolve('last-admin');
    this.#tables.deleteUser(id);
    this.#idsByEmail.delete(emailKey(user.email));
    this.#passwordHashes.delete(id);
    return Promise.resolve('deleted');
  }

  #isLastAdmin(user: User): boolean {
    return isActiveAdmin(user) && this.#tables.users.count(isActiveAdmin) === 1;
  }
}

function changedUser(user: User, change: UserChange, now: Timestamp): User {
  return Object.freeze<User>({
    id: user.id,
    name: change.name ?? user.name,
    email: change.email ?? user.email,
    phone: changedText(user.phone, change.phone),
    city: changedText(user.city, change.city),
    role: change.role ?? user.role,
    status: change.status ?? user.status,
    createdAt: user.createdAt,
    updatedAt: latestOf(now, user.updatedAt),
    sessionsFrom: revokesTokens(change) ? revocationTime(user.sessionsFrom, now) : user.sessionsFrom,
    version: user.version + 1,
  });
}

function changedText(old: string | undefined, change: string | null | undefined): string | undefined {
  return change === undefined ? old : (change ?? undefined);
}

/** @returns undefined when the filter matches every user */
function testOf(filter: UserFilter): ((user: User) => boolean) | undefined {
  const applied = userFilterFields.filter((field) => filter[field] !== undefined);
  if (applied.length === 0) return undefined;
  return (user) => applied.every((field) => user[field] === filter[field]);
}
