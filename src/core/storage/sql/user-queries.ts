/** The queries behind the users of the SQL storages. */
import type { Compilable } from 'kysely';
import type { Id } from '../../model/id.js';
import type { Timestamp } from '../../model/timestamp.js';
import { emailKey, type Role, type UserStatus } from '../../model/user.js';
import type { Slice } from '../../ports/slice.js';
import { userFilterFields, type NewUser, type UserChange, type UserFilter } from '../../ports/user-store.js';
import { rowCount, type CountRow } from './query/counters.js';
import { notBefore } from './query/moments.js';
import { PreparedPages } from './query/prepared-pages.js';
import { PreparedQuery } from './query/prepared-query.js';
import type { SqlRunner } from './query/runner.js';
import { stretchOf } from './query/slice.js';
import { userColumns, userUpdates, userValues, type UserRow } from './user-row.js';

const activeAdmin = { role: 'admin', status: 'active' } as const;

/** Users whom a write leaves as they are. */
export type Spared = 'active-admins' | undefined;

export class UserQueries {
  readonly #builder: SqlRunner['builder'];
  readonly #dialect: SqlRunner['dialect'];
  readonly #columns: ReturnType<typeof userColumns>;
  readonly #pages: PreparedPages<UserRow>;
  readonly #countAll: PreparedQuery<CountRow>;

  readonly byId: PreparedQuery<UserRow>;
  /** By `emailKey`. */
  readonly byEmail: PreparedQuery<UserRow & { readonly password_hash: string | null }>;

  constructor({ builder, dialect }: SqlRunner) {
    this.#builder = builder;
    this.#dialect = dialect;
    this.#columns = userColumns(dialect);
    const users = builder.selectFrom('users').select(this.#columns);
    this.byId = new PreparedQuery('users.byId', users.where('id', '=', '1'));
    this.byEmail = new PreparedQuery(
      'users.byEmail',
      users.select('password_hash').where('email_key', '=', ''),
    );
    const pages = users.where('id', '>', '0').orderBy('id');
    this.#pages = new PreparedPages('users.page', (limit) => pages.limit(limit));
    this.#countAll = rowCount(builder, 'users');
  }

  byIds(ids: readonly Id[]): Compilable<UserRow> {
    return this.#builder
      .selectFrom('users')
      .select(this.#columns)
      .where('id', 'in', this.#dialect.idList(ids));
  }

  list(filter: UserFilter, slice: Slice): Compilable<UserRow> {
    const { after, limit, offset } = stretchOf(slice);
    if (!isFiltered(filter) && offset === 0) return this.#pages.with(after, limit);
    // Not prepared: the best plan depends on the offset, and on how many users have these values.
    return this.#matching(filter)
      .select(this.#columns)
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .offset(offset);
  }

  count(filter: UserFilter): Compilable<CountRow> {
    if (!isFiltered(filter)) return this.#countAll.with();
    return this.#matching(filter).select(({ fn }) => fn.countAll().as('count'));
  }

  #matching(filter: UserFilter) {
    let users = this.#builder.selectFrom('users');
    for (const field of userFilterFields) {
      const value = filter[field];
      // The filter may hold any text; one that is no role or status matches no user.
      if (value !== undefined) users = users.where(field, '=', value as Role & UserStatus);
    }
    return users;
  }

  /** Returns no row when the email is taken. */
  insert(user: NewUser, now: Timestamp): Compilable<UserRow> {
    return this.#builder
      .insertInto('users')
      .values(userValues(user, now, now))
      .onConflict((conflict) => conflict.column('email_key').doNothing())
      .returning(this.#columns);
  }

  /**
   * Locks the rows of all active admins until the transaction ends. Everybody who takes an admin's rights locks all of them,
   * and so sees what another has committed before.
   */
  lockActiveAdmins(): Compilable<{ readonly id: UserRow['id'] }> {
    return this.#builder
      .updateTable('users')
      .set((eb) => ({ name: eb.ref('name') }))
      .where('role', '=', 'admin')
      .where('status', '=', 'active')
      .returning('id');
  }

  /** Locks a user's row until the transaction ends. */
  lock(id: Id): Compilable<UserRow> {
    return this.#builder
      .updateTable('users')
      .set((eb) => ({ name: eb.ref('name') }))
      .where('id', '=', id)
      .returning(this.#columns);
  }

  /**
   * Returns no row when there is no user with this id and version, and when the new email is taken.
   *
   * @param spared - `active-admins` returns no row for those either
   */
  update(
    id: Id,
    change: UserChange,
    now: Timestamp,
    version: number | undefined,
    { sessionsFrom, spared }: { readonly sessionsFrom: Timestamp | undefined; readonly spared: Spared },
  ): Compilable<UserRow> {
    const { email } = change;
    let update = this.#builder
      .updateTable('users')
      .set(({ eb }) => ({
        ...userUpdates(change),
        updated_at: notBefore('updated_at', now),
        sessions_from: sessionsFrom,
        version: eb('version', '+', 1),
      }))
      .where('id', '=', id);
    if (version !== undefined) update = update.where('version', '=', version);
    if (spared === 'active-admins') update = update.where((eb) => eb.not(eb.and(activeAdmin)));
    if (email !== undefined) {
      update = update.where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('users as other')
              .select('other.id')
              .where('other.email_key', '=', emailKey(email))
              .where('other.id', '<>', id),
          ),
        ),
      );
    }
    return update.returning(this.#columns);
  }

  /** Returns no row when there is no user with this id and version. @param spared - as for {@link update} */
  delete(id: Id, version: number | undefined, spared: Spared): Compilable<{ readonly id: UserRow['id'] }> {
    let deletion = this.#builder.deleteFrom('users').where('id', '=', id).returning('id');
    if (version !== undefined) deletion = deletion.where('version', '=', version);
    if (spared === 'active-admins') deletion = deletion.where((eb) => eb.not(eb.and(activeAdmin)));
    return deletion;
  }
}

function isFiltered(filter: UserFilter): boolean {
  return userFilterFields.some((field) => filter[field] !== undefined);
}
