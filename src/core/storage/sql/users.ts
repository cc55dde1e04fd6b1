/** The users of the SQL storages. */
import { parseId, type Id } from '../../model/id.js';
import type { Timestamp } from '../../model/timestamp.js';
import { emailKey, endsSessions, type User } from '../../model/user.js';
import type { Slice } from '../../ports/slice.js';
import {
  userFilterFields,
  type NewUser,
  type UserChange,
  type UserCredentials,
  type UserFilter,
  type UserStore,
} from '../../ports/user-store.js';
import { distinctIds, recordsInOrder } from './owners.js';
import { RefreshTokenQueries } from './refresh-token-queries.js';
import { isSearchable } from './searchable.js';
import type { SqlRunner } from './runner.js';
import { rowOf, rowsOf, type SqlTask } from './task.js';
import { UserQueries } from './user-queries.js';
import { userOf } from './user-row.js';

export class SqlUsers implements UserStore {
  readonly #runner: SqlRunner;
  readonly #queries: UserQueries;
  readonly #refreshTokens: RefreshTokenQueries;

  constructor(runner: SqlRunner) {
    this.#runner = runner;
    this.#queries = new UserQueries(runner);
    this.#refreshTokens = new RefreshTokenQueries(runner);
  }

  create(user: NewUser, now: Timestamp): Promise<User | 'email-taken'> {
    return this.#runner.run(() => this.#create(user, now));
  }

  *#create(user: NewUser, now: Timestamp): SqlTask<User | 'email-taken'> {
    const row = yield* rowOf(this.#queries.insert(user, now));
    return row === undefined ? 'email-taken' : userOf(row);
  }

  find(id: string): Promise<User | undefined> {
    return this.#runner.run(() => this.#find(id));
  }

  *#find(id: string): SqlTask<User | undefined> {
    if (parseId(id) === undefined) return undefined;
    const row = yield* rowOf(this.#queries.byId.with(id));
    return row && userOf(row);
  }

  findMany(ids: readonly string[]): Promise<readonly (User | undefined)[]> {
    return this.#runner.run(() => this.#findMany(ids));
  }

  *#findMany(ids: readonly string[]): SqlTask<readonly (User | undefined)[]> {
    const known = distinctIds(ids);
    const rows = known.length > 0 ? yield* rowsOf(this.#queries.byIds(known)) : [];
    return recordsInOrder(ids, rows, userOf);
  }

  findCredentials(email: string): Promise<UserCredentials | undefined> {
    return this.#runner.run(() => this.#findCredentials(email));
  }

  *#findCredentials(email: string): SqlTask<UserCredentials | undefined> {
    if (!isSearchable(email)) return undefined;
    const row = yield* rowOf(this.#queries.byEmail.with(emailKey(email)));
    if (row === undefined) return undefined;
    return { user: userOf(row), passwordHash: row.password_hash ?? undefined };
  }

  list(filter: UserFilter, slice: Slice): Promise<readonly User[]> {
    return this.#runner.run(() => this.#list(filter, slice));
  }

  *#list(filter: UserFilter, slice: Slice): SqlTask<readonly User[]> {
    if (matchesNoUser(filter)) return [];
    return (yield* rowsOf(this.#queries.list(filter, slice))).map(userOf);
  }

  count(filter: UserFilter): Promise<number> {
    return this.#runner.run(() => this.#count(filter));
  }

  *#count(filter: UserFilter): SqlTask<number> {
    if (matchesNoUser(filter)) return 0;
    const row = yield* rowOf(this.#queries.count(filter));
    return Number(row?.count);
  }

  update(
    id: string,
    change: UserChange,
    now: Timestamp,
    version?: number,
  ): Promise<User | 'not-found' | 'stale' | 'email-taken'> {
    const task = () => this.#update(id, change, now, version);
    return endsSessions(change) ? this.#runner.runAtomically(task) : this.#runner.run(task);
  }

  *#update(
    id: string,
    change: UserChange,
    now: Timestamp,
    version: number | undefined,
  ): SqlTask<User | 'not-found' | 'stale' | 'email-taken'> {
    if (parseId(id) === undefined) return 'not-found';
    const row = yield* rowOf(this.#queries.update(id, change, now, version));
    if (row !== undefined) {
      if (endsSessions(change)) yield* rowsOf(this.#refreshTokens.deleteOfUser(id));
      return userOf(row);
    }
    const refusal = yield* this.#refusal(id, version);
    return refusal ?? (change.email === undefined ? 'not-found' : 'email-taken');
  }

  delete(id: Id, version?: number): Promise<'deleted' | 'not-found' | 'stale'> {
    return this.#runner.run(() => this.#delete(id, version));
  }

  *#delete(id: string, version: number | undefined): SqlTask<'deleted' | 'not-found' | 'stale'> {
    if (parseId(id) === undefined) return 'not-found';
    const row = yield* rowOf(this.#queries.delete(id, version));
    if (row !== undefined) return 'deleted';
    return (yield* this.#refusal(id, version)) ?? 'not-found';
  }

  /** Why a write found no row with this id and version; undefined when there is one. */
  *#refusal(id: Id, version: number | undefined): SqlTask<'not-found' | 'stale' | undefined> {
    const row = yield* rowOf(this.#queries.byId.with(id));
    if (row === undefined) return 'not-found';
    return version !== undefined && Number(row.version) !== version ? 'stale' : undefined;
  }
}

function matchesNoUser(filter: UserFilter): boolean {
  return userFilterFields.some((field) => !isSearchable(filter[field] ?? ''));
}
