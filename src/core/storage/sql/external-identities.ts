/** The external identities of the SQL storages. */
import type { ExternalIdentityStore } from '../../ports/external-identity-store.js';
import type { UserStore } from '../../ports/user-store.js';
import { PreparedQuery } from './query/prepared-query.js';
import type { SqlRunner } from './query/runner.js';
import { isSearchable } from './query/clauses.js';
import type { TasksOf } from './query/store-of.js';
import { rowOf, rowsOf } from './query/task.js';
import { userColumns, userOf } from './user-row.js';

export function externalIdentityTasks(
  { builder, dialect }: SqlRunner,
  users: TasksOf<UserStore>,
): TasksOf<ExternalIdentityStore> {
  const user = builder
    .selectFrom('external_identities')
    .innerJoin('users', 'id', 'user_id')
    .select(userColumns(dialect))
    .where('issuer', '=', '')
    .where('subject', '=', '');
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
