/** The users of the SQL storages, and their identities at identity providers. */
import type { Compilable } from 'kysely';
import { allRead } from '../../model/fields.js';
import { parseId, type Id } from '../../model/id.js';
import type { Timestamp } from '../../model/timestamp.js';
import {
  emailKey,
  endsAdmin,
  revocationTime,
  revokesTokens,
  noUserDetails,
  roles,
  userStatuses,
} from '../../model/user.js';
import type { ExternalIdentityStore, NewUser, UserFilter, UserStore } from '../../ports/user-store.js';
import { isSearchable, notBefore, rowCount } from './query/clauses.js';
import { readerOf, selectionOf, updatedOf } from './query/columns.js';
import { type Selection, listedRecordsIn } from './query/pages.js';
import {
  PreparedQuery,
  rowOf,
  rowsOf,
  type SqlTask,
  type SqlRunner,
  storeOf,
  type TasksOf,
} from './query/runner.js';
import { userColumns } from './query/schema.js';
import { changedStored, insertedStored, keptColumns, storedConditions } from './query/stored.js';

const activeAdmin = { role: 'admin', status: 'active' } as const;

/** The fields of a filter that indexes and counters serve. A filter by another field does not compile. */
type Indexed = { [Field in keyof UserFilter]: Field extends FilterField ? unknown : never };
type FilterField = 'role' | 'status' | 'city' | 'email' | 'stored';

/** @param tasks - see {@link userTasks} */
export function sqlUsers(runner: SqlRunner, tasks: TasksOf<UserStore>): UserStore {
  const store = storeOf<UserStore>(runner, tasks, {
    findMany: 'run',
    list: 'runList',
    count: 'runList',
    update: 'runAtomically',
    delete: 'runAtomically',
  });
  return {
    ...store,
    // Most changes are one query.
    update: (id, change, now, version) =>
      revokesTokens(change) || endsAdmin(change) || typeof change.stored === 'function'
        ? store.update(id, change, now, version)
        : runner.run(() => tasks.update(id, change, now, version)),
  };
}

export function userTasks(runner: SqlRunner): TasksOf<UserStore> {
  const { builder, dialect } = runner;
  const fields = keptColumns(runner, 'User', userColumns);
  const { find, findMany, list, count, recordOf } = listedRecordsIn(runner, 'users', fields);
  const columns = selectionOf(fields, dialect);
  const users = builder.selectFrom('users').select(columns).select('password_hash');
  const byEmail = new PreparedQuery('users.byEmail', users.where('email_key', '=', ''));
  const sample = {
    ...noUserDetails,
    name: '',
    email: '',
    role: 'user',
    status: 'active',
    passwordHash: undefined,
  } as const;
  // On PostgreSQL, those that begin together share a transaction. What they lock first must be the same row for all, or two such
  // transactions would wait for each other: insertions of users lock the counter of all users first.
  const insertion = new PreparedQuery(
    'users.create',
    builder
      .insertInto('users')
      .values({ ...userValues(sample, ''), ...insertedStored(runner, 'User', {}) })
      .onConflict((conflict) => conflict.column('email_key').doNothing())
      .returning(columns),
  );
  /** Locks rows until the transaction ends. */
  const lock = builder.updateTable('users').set((eb) => ({ name: eb.ref('name') }));
  const admins = lock.where('role', '=', 'admin').where('status', '=', 'active');

  /**
   * The users of a filter; undefined for every user. Two indexes serve all filters: each has the users of one role and status in the
   * order of their ids, and one of them within a city.
   */
  function matching(filter: UserFilter): Selection<'users'> | undefined {
    const { role, status, city, email, stored } = filter satisfies Indexed;
    const conditions = storedConditions(runner, 'User', stored);
    if (conditions.length > 0 || email !== undefined) {
      // The index of a stored field has fewer rows than a group of users, and its own order by id. An email has one row.
      const given = { role, status, city, email_key: email && emailKey(email) };
      const compared = Object.entries(given).filter(([, value]) => value !== undefined);
      const users = builder
        .selectFrom('users')
        .where((eb) => eb.and([...conditions, eb.and(Object.fromEntries(compared))]));
      return { parts: [users], counter: undefined };
    }
    if (role === undefined && status === undefined && city === undefined) return undefined;
    const groups = roles
      .filter((each) => role === undefined || each === role)
      .flatMap((each) => userStatuses.map((state) => [each, state] as const))
      .filter(([, state]) => status === undefined || state === status);
    const parts = groups.map(([each, state]) => {
      const part = builder.selectFrom('users').where('role', '=', each).where('status', '=', state);
      return city === undefined ? part : part.where('city', '=', city);
    });
    const names = groups.map(
      (group) => `users/${group.join(' ')}${city === undefined ? '' : `/${city}`}` as const,
    );
    const counter = rowCount(builder, ...names);
    return { parts, counter };
  }

  /** Locks all active admins, if a user is one of them. */
  function* lockAdminsWith(id: Id): SqlTask<void> {
    const user = builder.selectFrom('users as own').select('own.id').where('own.id', '=', id);
    const isAdmin = user.where('own.role', '=', 'admin').where('own.status', '=', 'active');
    yield* rowsOf(admins.where((eb) => eb.exists(isAdmin)).returning('id'));
  }

  /**
   * Runs a write that may remove an admin. It is first tried on any user but an active admin, which needs no lock of other users.
   *
   * @returns the written row; undefined when the write itself was refused
   */
  function* writeUnlessLastAdmin<Row>(
    id: Id,
    version: number | undefined,
    mayEndAdmin: boolean,
    write: (sparesAdmins: boolean) => Compilable<Row>,
  ): SqlTask<Row | 'not-found' | 'stale' | 'last-admin' | undefined> {
    const row = yield* rowOf(write(mayEndAdmin));
    if (row !== undefined) return row;
    const refused = yield* refusal(id, version);
    if (refused !== undefined || !mayEndAdmin) return refused;
    // Every writer that may remove an admin locks all active admins, and so sees the earlier commits of the others.
    const [admin, other] = yield* rowsOf(admins.returning('id'));
    if (admin !== undefined && other === undefined && String(admin.id) === id) return 'last-admin';
    return (yield* rowOf(write(false))) ?? (yield* refusal(id, version));
  }

  /** The reason why a write found no row with this id and version; undefined when there is one. */
  function* refusal(id: Id, version: number | undefined): SqlTask<'not-found' | 'stale' | undefined> {
    const user = yield* find(id);
    if (user === undefined) return 'not-found';
    return version !== undefined && user.version !== version ? 'stale' : undefined;
  }

  return {
    find,
    findMany,

    *create(user, now) {
      const values: unknown[] = Object.values(userValues(user, now));
      if (runner.ownFields?.User !== undefined) values.push(user.stored ? JSON.stringify(user.stored) : null);
      const row = yield* rowOf(insertion.with(...values));
      return row === undefined ? 'email-taken' : recordOf(row);
    },

    *findCredentials(email) {
      if (!isSearchable(email)) return undefined;
      const row = yield* rowOf(byEmail.with(emailKey(email)));
      if (row === undefined) return undefined;
      const { password_hash, ...user } = row;
      return { user: recordOf(user), passwordHash: password_hash ?? undefined };
    },

    *list(filter, slice) {
      return matchesNoUser(filter) ? [] : yield* list(slice, matching(filter));
    },

    *count(filter) {
      return matchesNoUser(filter) ? 0 : yield* count(matching(filter));
    },

    *update(id, { stored: given, ...change }, now, version) {
      if (parseId(id) === undefined) return 'not-found';
      const { email } = change;
      let sessionsFrom: string | undefined;
      // Before the user's own row: writers that each hold one admin and wait for the others would never end.
      if (endsAdmin(change) && (revokesTokens(change) || typeof given === 'function'))
        yield* lockAdminsWith(id);
      if (revokesTokens(change)) {
        // Locks the row, so that of two simultaneous changes the second gets a later time.
        const row = yield* rowOf(
          lock.where('id', '=', id).returning(dialect.moment('sessions_from').as('from')),
        );
        sessionsFrom = revocationTime(row?.from ?? undefined, now);
      }
      const stored = yield* changedStored(runner, 'User', { id, version }, given);
      if (stored === 'invalid') return stored;
      const outcome = yield* writeUnlessLastAdmin(id, version, endsAdmin(change), (sparesAdmins) => {
        let update = builder
          .updateTable('users')
          .set(({ eb }) => ({
            ...updatedOf(fields, change),
            ...stored,
            email_key: email && emailKey(email),
            password_hash: change.passwordHash,
            updated_at: notBefore('updated_at', now),
            sessions_from: sessionsFrom,
            version: eb('version', '+', 1),
          }))
          .where('id', '=', id);
        if (version !== undefined) update = update.where('version', '=', version);
        if (sparesAdmins) update = update.where((eb) => eb.not(eb.and(activeAdmin)));
        if (email !== undefined) {
          update = update.where((eb) => {
            const others = eb.selectFrom('users as other').select('other.id').where('other.id', '<>', id);
            return eb.not(eb.exists(others.where('other.email_key', '=', emailKey(email))));
          });
        }
        return update.returning(columns);
      });
      if (outcome === undefined) return email === undefined ? 'not-found' : 'email-taken';
      if (typeof outcome === 'string') return outcome;
      if (revokesTokens(change))
        yield* rowsOf(builder.deleteFrom('refresh_tokens').where('user_id', '=', id));
      return recordOf(outcome);
    },

    *delete(id, version) {
      if (parseId(id) === undefined) return 'not-found';
      const outcome = yield* writeUnlessLastAdmin(id, version, true, (sparesAdmins) => {
        let deletion = builder.deleteFrom('users').where('id', '=', id).returning('id');
        if (version !== undefined) deletion = deletion.where('version', '=', version);
        if (sparesAdmins) deletion = deletion.where((eb) => eb.not(eb.and(activeAdmin)));
        return deletion;
      });
      if (outcome === undefined) return 'not-found';
      return typeof outcome === 'string' ? outcome : 'deleted';
    },
  };
}

export function externalIdentityTasks(
  runner: SqlRunner,
  users: TasksOf<UserStore>,
): TasksOf<ExternalIdentityStore> {
  const { builder, dialect } = runner;
  const fields = keptColumns(runner, 'User', userColumns);
  const user = builder
    .selectFrom('external_identities')
    .innerJoin('users', 'id', 'user_id')
    .select(selectionOf(fields, dialect))
    .where('issuer', '=', '')
    .where('subject', '=', '');
  const userOf = readerOf(fields);
  const userByIdentity = new PreparedQuery('externalIdentities.user', user);

  const tasks: TasksOf<ExternalIdentityStore> = {
    *findUser({ issuer, subject }) {
      if (!isSearchable(issuer) || !isSearchable(subject)) return undefined;
      const row = yield* rowOf(userByIdentity.with(issuer, subject));
      return row && userOf(row);
    },

    *findOrCreateUser(identity, newUser, now) {
      const found = yield* tasks.findUser(identity);
      if (found !== undefined) return found;
      const made = yield* users.create(newUser, now);
      // The email may have been taken by another first sign-in of this identity, which has committed by now.
      if (made === 'email-taken') return (yield* tasks.findUser(identity)) ?? made;
      // If another sign-in has just stored the identity with another email, this insert fails: a lost race, which is run again.
      yield* rowsOf(builder.insertInto('external_identities').values({ ...identity, user_id: made.id }));
      return made;
    },
  };
  return tasks;
}

/** The values to insert for a user, always in the same order. */
function userValues(
  { name, email, phone, city, role, status, passwordHash, ...others }: Omit<NewUser, 'stored'>,
  now: Timestamp,
) {
  allRead(others);
  return {
    name,
    email,
    email_key: emailKey(email),
    phone: phone ?? null,
    city: city ?? null,
    role,
    status,
    password_hash: passwordHash ?? null,
    created_at: now,
    updated_at: now,
  };
}

/** Filters hold any text, which may be no role, no status, or a text that no city has. */
function matchesNoUser({ role, status, city, email }: UserFilter): boolean {
  const isIn = (values: readonly string[], value: string | undefined) =>
    value === undefined || values.includes(value);
  return !isIn(roles, role) || !isIn(userStatuses, status) || !isSearchable(`${city ?? ''} ${email ?? ''}`);
}
