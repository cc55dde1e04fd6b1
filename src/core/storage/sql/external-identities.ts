/** The external identities of the SQL storages. */
import type { ExternalIdentity } from '../../model/external-identity.js';
import type { Timestamp } from '../../model/timestamp.js';
import type { User } from '../../model/user.js';
import type { ExternalIdentityStore } from '../../ports/external-identity-store.js';
import type { NewUser } from '../../ports/user-store.js';
import { PreparedQuery } from './query/prepared-query.js';
import { isSearchable } from './query/searchable.js';
import type { SqlRunner } from './query/runner.js';
import { rowOf, rowsOf, type SqlTask } from './query/task.js';
import { UserQueries } from './user-queries.js';
import { userColumns, userOf, type UserRow } from './user-row.js';

export class SqlExternalIdentities implements ExternalIdentityStore {
  readonly #runner: SqlRunner;
  readonly #users: UserQueries;
  readonly #userOf: PreparedQuery<UserRow>;

  constructor(runner: SqlRunner) {
    const { builder, dialect } = runner;
    this.#runner = runner;
    this.#users = new UserQueries(runner);
    const user = builder
      .selectFrom('external_identities')
      .innerJoin('users', 'id', 'user_id')
      .select(userColumns(dialect))
      .where('issuer', '=', '')
      .where('subject', '=', '');
    this.#userOf = new PreparedQuery('externalIdentities.user', user);
  }

  findUser(identity: ExternalIdentity): Promise<User | undefined> {
    return this.#runner.run(() => this.#findUser(identity));
  }

  *#findUser({ issuer, subject }: ExternalIdentity): SqlTask<User | undefined> {
    if (!isSearchable(issuer) || !isSearchable(subject)) return undefined;
    const row = yield* rowOf(this.#userOf.with(issuer, subject));
    return row && userOf(row);
  }

  findOrCreateUser(identity: ExternalIdentity, user: NewUser, now: Timestamp): Promise<User | 'email-taken'> {
    return this.#runner.runAtomically(() => this.#findOrCreateUser(identity, user, now));
  }

  *#findOrCreateUser(
    identity: ExternalIdentity,
    user: NewUser,
    now: Timestamp,
  ): SqlTask<User | 'email-taken'> {
    const found = yield* this.#findUser(identity);
    if (found !== undefined) return found;
    const row = yield* rowOf(this.#users.insert(user, now));
    // The email may have been taken by another first sign-in of this identity, which has committed by now.
    if (row === undefined) return (yield* this.#findUser(identity)) ?? 'email-taken';
    // If another sign-in has just stored the identity with another email, this insert fails: a lost race, which is run again.
    yield* rowsOf(
      this.#runner.builder.insertInto('external_identities').values({ ...identity, user_id: row.id }),
    );
    return userOf(row);
  }
}
