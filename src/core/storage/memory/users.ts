/** The users of the memory storage, and their identities at identity providers. */
import type { ExternalIdentity } from '../../model/credentials.js';
import { valuesOf, withStored } from '../../model/stored.js';
import { latestOf, type Timestamp } from '../../model/timestamp.js';
import {
  emailKey,
  endsAdmin,
  isActiveAdmin,
  revocationTime,
  revokesTokens,
  userFields,
  type User,
} from '../../model/user.js';
import {
  type ExternalIdentityStore,
  userFilterFields,
  type NewUser,
  type UserChange,
  type UserFilter,
  type UserStore,
} from '../../ports/user-store.js';
import type { AtOnce, MemoryTables } from './tables.js';

export function memoryUsers(tables: MemoryTables): AtOnce<UserStore> {
  const { users, userIdsByEmail, passwordHashes } = tables;
  const isLastAdmin = (user: User) => isActiveAdmin(user) && users.count(isActiveAdmin) === 1;

  return {
    create: (user, now) => insertUser(tables, user, now),
    find: (id) => users.get(id),
    findMany: (ids) => ids.map((id) => users.get(id)),

    findCredentials(email) {
      const user = users.get(userIdsByEmail.get(emailKey(email)) ?? '');
      return user && { user, passwordHash: passwordHashes.get(user.id) };
    },

    list: (filter, slice) => users.slice(slice, tables.testOf('User', filter.stored, testOf(filter))),
    count: (filter) => users.count(tables.testOf('User', filter.stored, testOf(filter))),

    update(id, change, now, version) {
      const user = users.get(id);
      if (user === undefined) return 'not-found';
      if (version !== undefined && version !== user.version) return 'stale';
      if (endsAdmin(change) && isLastAdmin(user)) return 'last-admin';
      const key = emailKey(change.email ?? user.email);
      if ((userIdsByEmail.get(key) ?? id) !== id) return 'email-taken';
      const values = valuesOf(change.stored, user.stored);
      if (values === 'invalid') return values;

      const oldKey = emailKey(user.email);
      if (key !== oldKey) {
        userIdsByEmail.delete(oldKey);
        userIdsByEmail.set(key, id);
      }
      if (change.passwordHash !== undefined) passwordHashes.set(id, change.passwordHash);
      const changed = changedUser(user, { ...change, stored: values }, now);
      users.replace(changed);
      if (revokesTokens(change)) tables.deleteTokens((row) => row.userId === id);
      return changed;
    },

    delete(id, version) {
      const user = users.get(id);
      if (user === undefined) return 'not-found';
      if (version !== undefined && version !== user.version) return 'stale';
      if (isLastAdmin(user)) return 'last-admin';
      tables.deleteUser(user);
      return 'deleted';
    },
  };
}

export function memoryExternalIdentities(tables: MemoryTables): AtOnce<ExternalIdentityStore> {
  const { users, userIdsByIdentity } = tables;
  const methods: AtOnce<ExternalIdentityStore> = {
    findUser: (identity) => users.get(userIdsByIdentity.get(keyOf(identity)) ?? ''),

    findOrCreateUser(identity, user, now) {
      const found = methods.findUser(identity);
      if (found !== undefined) return found;
      const made = insertUser(tables, user, now);
      if (made !== 'email-taken') userIdsByIdentity.set(keyOf(identity), made.id);
      return made;
    },
  };
  return methods;
}

function insertUser(tables: MemoryTables, fields: NewUser, now: Timestamp): User | 'email-taken' {
  // A field that is missing here does not compile. With a loop over the fields, a whole `POST` takes an eighth more of the engine's time.
  const { name, email, phone, city, role, status, passwordHash, stored } = fields;
  const key = emailKey(email);
  if (tables.userIdsByEmail.has(key)) return 'email-taken';
  const id = tables.users.nextId();
  const made: User = {
    id,
    name,
    email,
    phone,
    city,
    role,
    status,
    createdAt: now,
    updatedAt: now,
    sessionsFrom: undefined,
    version: 1,
  };
  const user = Object.freeze(withStored(made, stored));
  tables.users.add(user);
  tables.userIdsByEmail.set(key, id);
  if (passwordHash !== undefined) tables.passwordHashes.set(id, passwordHash);
  return user;
}

function changedUser(user: User, change: UserChange & Pick<User, 'stored'>, now: Timestamp): User {
  const given = userFields.flatMap((field) =>
    change[field] === undefined ? [] : [[field, change[field] ?? undefined] as const],
  );
  const changed: User = {
    ...user,
    ...Object.fromEntries(given),
    updatedAt: latestOf(now, user.updatedAt),
    sessionsFrom: revokesTokens(change) ? revocationTime(user.sessionsFrom, now) : user.sessionsFrom,
    version: user.version + 1,
  };
  return Object.freeze(withStored(changed, change.stored));
}

/** @returns undefined when the filter matches every user */
function testOf(filter: UserFilter): ((user: User) => boolean) | undefined {
  const applied = userFilterFields.filter((field) => filter[field] !== undefined);
  const key = filter.email && emailKey(filter.email);
  if (applied.length === 0 && key === undefined) return undefined;
  return (user) =>
    applied.every((field) => user[field] === filter[field]) &&
    (key === undefined || emailKey(user.email) === key);
}

/** A text that is unique to the pair of issuer and subject. */
function keyOf({ issuer, subject }: ExternalIdentity): string {
  return JSON.stringify([issuer, subject]);
}
