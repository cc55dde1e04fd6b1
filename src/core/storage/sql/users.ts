/** The users of the SQL storages. */
import type { Compilable } from 'kysely';
import { parseId, type Id } from '../../model/id.js';
import type { Timestamp } from '../../model/timestamp.js';
import {
  emailKey,
  endsAdmin,
  endsSessions,
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
import { distinctIds, recordsInOrder } from './query/owners.js';
import { RefreshTokenQueries } from './refresh-tokens.js';
import { isSearchable } from './query/searchable.js';
import type { SqlRunner } from './query/runner.js';
import { rowOf, rowsOf, type SqlTask } from './query/task.js';
import { UserQueries, type Spared } from './user-queries.js';
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
    return this.#runner.run(() => this.creation(user, now));
  }

  /** The work of `create`, for a transaction that does more. */
  *creation(user: NewUser, now: Timestamp): SqlTask<User | 'email-taken'> {
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
  ): Promise<User | 'not-found' | 'stale' | 'last-admin' | 'email-taken'> {
    const task = () => this.#update(id, change, now, version);
    const isOneQuery = !endsSessions(change) && !endsAdmin(change);
    return isOneQuery ? this.#runner.run(task) : this.#runner.runAtomically(task);
  }

  *#update(
    id: string,
    change: UserChange,
    now: Timestamp,
    version: number | undefined,
  ): SqlTask<User | 'not-found' | 'stale' | 'last-admin' | 'email-taken'> {
    if (parseId(id) === undefined) return 'not-found';
    const sessionsFrom = revokesTokens(change) ? yield* this.#revocationTime(id, now) : undefined;
    const outcome = yield* this.#writeUnlessLastAdmin(id, version, endsAdmin(change), (spared) =>
      this.#queries.update(id, change, now, version, { sessionsFrom, spared }),
    );
    if (outcome === undefined) return change.email === undefined ? 'not-found' : 'email-taken';
    if (typeof outcome === 'string') return outcome;
    if (endsSessions(change)) yield* rowsOf(this.#refreshTokens.deleteOfUser(id));
    return userOf(outcome);
  }

  delete(id: Id, version?: number): Promise<'deleted' | 'not-found' | 'stale' | 'last-admin'> {
    return this.#runner.runAtomically(() => this.#delete(id, version));
  }

  *#delete(
    id: string,
    version: number | undefined,
  ): SqlTask<'deleted' | 'not-found' | 'stale' | 'last-admin'> {
    if (parseId(id) === undefined) return 'not-found';
    const outcome = yield* this.#writeUnlessLastAdmin(id, version, true, (spared) =>
      this.#queries.delete(id, version, spared),
    );
    if (outcome === undefined) return 'not-found';
    return typeof outcome === 'string' ? outcome : 'deleted';
  }

  /**
   * Runs a write that may end an admin. It is tried on anybody but the active admins first, which needs no lock of others.
   *
   * @returns the written row; undefined when the write itself refused
   */
  *#writeUnlessLastAdmin<Row>(
    id: Id,
    version: number | undefined,
    mayEndAdmin: boolean,
    write: (spared: Spared) => Compilable<Row>,
  ): SqlTask<Row | 'not-found' | 'stale' | 'last-admin' | undefined> {
    const row = yield* rowOf(write(mayEndAdmin ? 'active-admins' : undefined));
    if (row !== undefined) return row;
    const refusal = yield* this.#refusal(id, version);
    if (refusal !== undefined || !mayEndAdmin) return refusal;
    const [admin, other] = yield* rowsOf(this.#queries.lockActiveAdmins());
    if (admin !== undefined && other === undefined && String(admin.id) === id) return 'last-admin';
    return (yield* rowOf(write(undefined))) ?? (yield* this.#refusal(id, version));
  }

  /** Locks the user's row, so that of two changes at once the second is later. */
  *#revocationTime(id: Id, now: Timestamp): SqlTask<Timestamp> {
    const row = yield* rowOf(this.#queries.lock(id));
    return revocationTime(row?.sessions_from ?? undefined, now);
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
