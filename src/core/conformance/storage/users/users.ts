/** The checks of a user store with one caller at a time. */
import assert from 'node:assert/strict';
import { parseId } from '../../../model/id.js';
import { optionalUserFields, type User } from '../../../model/user.js';
import type { Stores } from '../../../ports/storage.js';
import { everyUser, type NewUser, type UserChange, type UserCredentials } from '../../../ports/user-store.js';
import { type Row, storeChecks, type Table } from '../../check.js';
import { recordChecks } from '../../every-store.js';
import { finds, lists } from '../../reads.js';
import { addUser, allDetails, at, change, idsOf, newUser, start, taken, userOf } from '../../samples.js';

type Users = Pick<Stores, 'users'>;

/** All reads of users, with what they must give while the store has exactly these. */
export function userReads({ users }: Users, all: readonly User[], gone: readonly User[] = []): Table {
  const asked = [...all, ...gone, ...all];
  return [
    ...lists(users, all, everyUser),
    ...finds(users, all, gone),
    [() => users.findMany(idsOf(asked)), asked.map((user) => (gone.includes(user) ? undefined : user))],
    ...all.map((user): Row => [
      () => users.findCredentials(user.email.toUpperCase()),
      (found?: UserCredentials) => ({ user, passwordHash: found?.passwordHash }),
    ]),
    ...gone.map(({ email }): Row => [() => users.findCredentials(email), undefined]),
  ];
}

/** A user is created with these fields, and is then given exactly so. */
const keeps =
  (fields: Partial<NewUser>, now = at(5)) =>
  async (storage: Users): Promise<Table> => {
    const other = await addUser(storage, 2);
    const input = { ...newUser(1, fields) };
    const user = taken(await storage.users.create(input, now));
    Object.assign(input, { name: 'Changed' });
    assert.equal(parseId(user.id), user.id);
    assert.deepEqual(user, userOf(newUser(1, fields), user.id, now));
    return userReads(storage, [other, user]);
  };

export const userChecks = [
  ...recordChecks<'users', User>({
    prefix: 'users',
    noun: 'user',
    stores: ['users'],
    create: async (storage, number, stored) => await addUser(storage, number, stored && { stored }),
    writes: [
      ({ users }, { id }) => users.update(id, change({ name: 'New', city: 'Rome' }), at(1)),
      ({ users }, { id }) => users.update(id, change({ status: 'inactive' }), at(2)),
    ],
    removals: {
      'users-delete: a deleted user is gone from everything, and their id is not used again': (
        { users },
        { id, version },
      ) => users.delete(id, version),
    },
    reads: userReads,
    filtered: async ({ users }, stored) => {
      const filter = { ...everyUser, stored };
      return [await users.list(filter, start), await users.count(filter)];
    },
    unknown: ({ users }, id) => [
      [() => users.find(id), undefined],
      [() => users.findMany([id]), [undefined]],
      [() => users.update(id, change({ name: 'x' }), at(1)), 'not-found'],
      [() => users.delete(id), 'not-found'],
    ],
  }),

  ...storeChecks(['users'], {
    'users-create: create gives back the user with id, version 1 and the times': keeps({
      ...allDetails,
      city: 'Zürich',
      role: 'admin',
      status: 'inactive',
    }),

    'users-absent-fields: a field that was not given is undefined, not null': keeps({}),

    'users-text: texts come back exactly as they went in': keeps({
      name: '  Ångström 💡 \u202eابجد \t\r\n \'";--\\%_ ',
      city: 'NULL',
    }),

    'users-microseconds: times keep their microseconds': keeps({}, '2026-02-28T23:59:59.999999Z'),

    'users-email-case: an email that differs in case only is taken': async (storage) => {
      const { users } = storage;
      const first = await addUser(storage, 1, { email: 'Ada@Example.com' });
      const second = await addUser(storage, 2);
      const own = { ...first, email: 'ADA@EXAMPLE.COM', updatedAt: at(1), version: 2 };
      return [
        [() => users.create(newUser(3, { email: 'aDA@eXAMPLE.COM' }), at(0)), 'email-taken'],
        [() => users.update(second.id, change({ email: 'ADA@example.com' }), at(1)), 'email-taken'],
        ...userReads(storage, [first, second]),
        [() => users.update(first.id, change({ email: own.email }), at(1)), own],
      ];
    },

    'users-email-freed: an email is free again once its user has another or is gone': async (storage) => {
      const { users } = storage;
      const first = await addUser(storage, 1, { email: 'a@example.com' });
      const changed = taken(await users.update(first.id, change({ email: 'b@example.com' }), at(1)));
      const second = await addUser(storage, 2, { email: 'A@example.com' });
      assert.equal(await users.delete(second.id), 'deleted');
      return userReads(storage, [changed, await addUser(storage, 3, { email: 'a@example.com' })]);
    },

    'users-credentials: credentials are found by email in any case, and hold the hash': async (storage) => {
      const { users } = storage;
      const user = await addUser(storage, 1, { email: 'Ada@example.com', passwordHash: '$1$' });
      const other = await addUser(storage, 2);
      const changed = { ...user, sessionsFrom: at(1), updatedAt: at(1), version: 2 };
      const renamed = { ...changed, name: 'Ada', updatedAt: at(2), version: 3 };
      return [
        [() => users.findCredentials('aDa@EXAMPLE.com'), { user, passwordHash: '$1$' }],
        [() => users.update(user.id, change({ passwordHash: '$2$' }), at(1)), changed],
        [() => users.findCredentials('ada@example.com'), { user: changed, passwordHash: '$2$' }],
        [() => users.update(user.id, change({ name: 'Ada' }), at(2)), renamed],
        [() => users.findCredentials('ada@example.com'), { user: renamed, passwordHash: '$2$' }],
        [() => users.findCredentials(other.email), { user: other, passwordHash: undefined }],
        ...['nobody@example.com', '', '\0'].map((email): Row => [
          () => users.findCredentials(email),
          undefined,
        ]),
      ];
    },

    'users-hash-apart: no record holds the password hash': async ({ users }) => {
      const created = taken(await users.create(newUser(1, { passwordHash: '$secret$' }), at(0)));
      const { id } = created;
      const updated = taken(await users.update(id, change({ passwordHash: '$secret$' }), at(1)));
      const read = [await users.find(id), await users.findMany([id]), await users.list(everyUser, start)];
      assert.ok(!JSON.stringify([created, updated, read]).includes('secret'), 'a record holds the hash');
    },

    'users-update: update writes what is given, clears null, and keeps the rest': async (storage) => {
      const { users } = storage;
      const admin = await addUser(storage, 2, { role: 'admin' }); // so that the other is not the last
      const user = await addUser(storage, 1, { ...allDetails, phone: '1', city: 'Rome' });
      const nothing = Object.fromEntries(optionalUserFields.map((field) => [field, null]));
      const bare = Object.fromEntries(optionalUserFields.map((field) => [field, undefined]));
      let stored: User = user;
      const row = (given: Partial<UserChange>, written: Partial<User>): Row => {
        const { id, version } = stored;
        stored = { ...stored, ...written, updatedAt: at(version), version: version + 1 };
        return [() => users.update(id, change(given), at(version)), stored];
      };
      return [
        row({ name: 'New', phone: null, role: 'admin' }, { name: 'New', phone: undefined, role: 'admin' }),
        row({ phone: '2', city: null }, { phone: '2', city: undefined }),
        row({ status: 'inactive' }, { status: 'inactive', sessionsFrom: at(3) }),
        row(nothing, bare),
        ...userReads(storage, [admin, stored]),
      ];
    },

    'users-updated-at: updatedAt never goes back': async (storage) => {
      const { users } = storage;
      const user = taken(await users.create(newUser(1), at(9)));
      const changed = { ...user, name: 'New', version: 2 };
      return [[() => users.update(user.id, change({ name: 'New' }), at(3)), changed]];
    },

    'users-version: a write that names another version changes nothing': async (storage) => {
      const { users } = storage;
      const other = await addUser(storage, 2);
      const user = await addUser(storage, 1);
      const { id } = user;
      const changed = { ...user, name: 'Second', updatedAt: at(1), version: 2 };
      return [
        [() => users.update(id, change({ name: 'Second' }), at(1), 1), changed],
        [() => users.update(id, change({ name: 'Third' }), at(2), 1), 'stale'],
        // The version is compared before the email.
        [() => users.update(id, change({ email: other.email }), at(2), 1), 'stale'],
        [() => users.delete(id, 1), 'stale'],
        ...userReads(storage, [other, changed]),
        [() => users.delete(id, 2), 'deleted'],
      ];
    },
  }),
];
