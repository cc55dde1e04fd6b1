/** The checks of a user store with one caller at a time. */
import assert from 'node:assert/strict';
import { parseId } from '../../../model/id.js';
import { everyUser } from '../../../ports/user-store.js';
import { storeChecks } from '../../check.js';
import { optionalUserFields, type User } from '../../../model/user.js';
import {
  addUser,
  addUsers,
  allDetails,
  at,
  change,
  newUser,
  oddIds,
  shownFields,
  start,
  taken,
} from '../../samples.js';

export const userChecks = storeChecks(['users'], {
  'users-create: create gives back the user with id, version 1 and the times': async ({ users }) => {
    const input = newUser(1, { ...allDetails, city: 'Zürich', role: 'admin', status: 'inactive' });
    const user = taken(await users.create(input, at(5)));
    assert.deepEqual(user, {
      ...shownFields(input),
      id: user.id,
      createdAt: at(5),
      updatedAt: at(5),
      sessionsFrom: undefined,
      version: 1,
    });
    assert.equal(parseId(user.id), user.id);
    assert.deepEqual(await users.find(user.id), user);
  },

  'users-absent-fields: a field that was not given is undefined, not null': async (storage) => {
    const user = await addUser(storage, 1);
    const read = await storage.users.find(user.id);
    for (const field of optionalUserFields) assert.equal(read?.[field], undefined, field);
  },

  'users-text: texts come back exactly as they went in': async ({ users }) => {
    const name = '  Ångström 💡 \u202eابجد \t\r\n \'";--\\%_ ';
    const user = taken(await users.create(newUser(1, { name, city: 'NULL' }), at(0)));
    const read = await users.find(user.id);
    assert.equal(read?.name, name);
    assert.equal(read.city, 'NULL');
  },

  'users-microseconds: times keep their microseconds': async ({ users }) => {
    const now = '2026-02-28T23:59:59.999999Z';
    const user = taken(await users.create(newUser(1), now));
    const read = await users.find(user.id);
    assert.equal(read?.createdAt, now);
    assert.equal(read.updatedAt, now);
  },

  'users-odd-ids: a text that is not an id is not found': async (storage) => {
    const { users } = storage;
    await addUser(storage, 1);
    for (const id of oddIds) {
      assert.equal(await users.find(id), undefined);
      assert.equal(await users.update(id, change({ name: 'x' }), at(1)), 'not-found');
      assert.equal(await users.delete(id), 'not-found');
    }
    assert.deepEqual(
      await users.findMany(oddIds),
      oddIds.map(() => undefined),
    );
    assert.equal(await users.count(everyUser), 1);
  },

  'users-find-many: findMany answers in the order of the ids, also for repeated ones': async (storage) => {
    const [one, two, three] = (await addUsers(storage, 3)) as [User, User, User];
    const ids = [three.id, 'none', one.id, three.id, two.id];
    assert.deepEqual(await storage.users.findMany(ids), [three, undefined, one, three, two]);
    assert.deepEqual(await storage.users.findMany([]), []);
  },

  'users-email-case: an email that differs in case only is taken': async ({ users }) => {
    const first = taken(await users.create(newUser(1, { email: 'Ada@Example.com' }), at(0)));
    assert.equal(await users.create(newUser(2, { email: 'aDA@eXAMPLE.COM' }), at(0)), 'email-taken');
    const second = taken(await users.create(newUser(3), at(0)));
    assert.equal(await users.update(second.id, change({ email: 'ADA@example.com' }), at(1)), 'email-taken');
    assert.deepEqual(await users.find(second.id), second, 'what was refused changed nothing');
    assert.equal(first.email, 'Ada@Example.com', 'the email is kept as it was given');
    const own = taken(await users.update(first.id, change({ email: 'ADA@EXAMPLE.COM' }), at(1)));
    assert.equal(own.email, 'ADA@EXAMPLE.COM', 'a user may change the case of their own email');
  },

  'users-email-freed: an email is free again once its user has another or is gone': async ({ users }) => {
    const first = taken(await users.create(newUser(1, { email: 'a@example.com' }), at(0)));
    taken(await users.update(first.id, change({ email: 'b@example.com' }), at(1)));
    const second = taken(await users.create(newUser(2, { email: 'A@example.com' }), at(0)));
    assert.equal(await users.delete(second.id), 'deleted');
    taken(await users.create(newUser(3, { email: 'a@example.com' }), at(0)));
  },

  'users-credentials: credentials are found by email in any case, and hold the hash': async ({ users }) => {
    const given = newUser(1, { email: 'Ada@example.com', passwordHash: '$hash$1' });
    const user = taken(await users.create(given, at(0)));
    assert.deepEqual(await users.findCredentials('aDa@EXAMPLE.com'), { user, passwordHash: '$hash$1' });
    const changed = taken(await users.update(user.id, change({ passwordHash: '$hash$2' }), at(1)));
    const found = await users.findCredentials('ada@example.com');
    assert.deepEqual(found, { user: changed, passwordHash: '$hash$2' });
    taken(await users.update(user.id, change({ name: 'Ada' }), at(2)));
    assert.equal((await users.findCredentials('ada@example.com'))?.passwordHash, '$hash$2');
    const other = taken(await users.create(newUser(2), at(0)));
    assert.deepEqual(await users.findCredentials(other.email), { user: other, passwordHash: undefined });
    for (const email of ['nobody@example.com', '', '\u0000']) {
      assert.equal(await users.findCredentials(email), undefined);
    }
  },

  'users-hash-apart: no record holds the password hash': async ({ users }) => {
    const created = taken(await users.create(newUser(1, { passwordHash: '$secret$' }), at(0)));
    const updated = taken(await users.update(created.id, change({ passwordHash: '$secret$' }), at(1)));
    const { id } = created;
    const read = [await users.find(id), await users.findMany([id]), await users.list(everyUser, start)];
    assert.ok(!JSON.stringify([created, updated, read]).includes('secret'), 'a record holds the hash');
  },

  'users-update: update writes what is given, clears null, and keeps the rest': async ({ users }) => {
    taken(await users.create(newUser(2, { role: 'admin' }), at(0))); // so that the other is not the last
    const user = taken(await users.create(newUser(1, { ...allDetails, phone: '1', city: 'Rome' }), at(1)));
    const given = change({ name: 'New', phone: null, role: 'admin' });
    const changed = taken(await users.update(user.id, given, at(2)));
    assert.deepEqual(changed, {
      ...shownFields(newUser(1)),
      ...allDetails,
      phone: undefined,
      id: user.id,
      name: 'New',
      city: 'Rome',
      role: 'admin',
      createdAt: at(1),
      updatedAt: at(2),
      sessionsFrom: undefined,
      version: 2,
    });
    assert.deepEqual(await users.find(user.id), changed);
    const next = change({ phone: '2', city: null, status: 'inactive' });
    const again = taken(await users.update(user.id, next, at(3)));
    assert.deepEqual([again.phone, again.city, again.status, again.version], ['2', undefined, 'inactive', 3]);
    const clear = Object.fromEntries(optionalUserFields.map((field) => [field, null]));
    const bare = taken(await users.update(user.id, change(clear), at(4)));
    for (const field of optionalUserFields) assert.equal(bare[field], undefined, field);
  },

  'users-updated-at: updatedAt never goes back': async (storage) => {
    const user = taken(await storage.users.create(newUser(1), at(9)));
    const changed = taken(await storage.users.update(user.id, change({ name: 'New' }), at(3)));
    assert.equal(changed.updatedAt, at(9));
    assert.equal(changed.createdAt, at(9));
  },

  'users-version: a write that names another version than the stored one changes nothing': async (
    storage,
  ) => {
    const { users } = storage;
    const other = await addUser(storage, 2);
    const user = await addUser(storage, 1);
    const changed = taken(await users.update(user.id, change({ name: 'Second' }), at(1), 1));
    assert.equal(await users.update(user.id, change({ name: 'Third' }), at(2), 1), 'stale');
    const sameEmail = change({ email: other.email });
    assert.equal(await users.update(user.id, sameEmail, at(2), 1), 'stale', 'before the email is looked at');
    assert.equal(await users.delete(user.id, 1), 'stale');
    assert.deepEqual(await users.find(user.id), changed);
    assert.equal(await users.delete(user.id, 2), 'deleted');
  },

  'users-delete: a deleted user is gone from everything': async (storage) => {
    const { users } = storage;
    const [first, second] = [await addUser(storage, 1), await addUser(storage, 2)];
    assert.equal(await users.delete(first.id), 'deleted');
    assert.equal(await users.delete(first.id), 'not-found');
    assert.equal(await users.update(first.id, change({ name: 'x' }), at(1)), 'not-found');
    assert.equal(await users.find(first.id), undefined);
    assert.equal(await users.findCredentials(first.email), undefined);
    assert.deepEqual(await users.list(everyUser, start), [second]);
    assert.equal(await users.count(everyUser), 1);
  },

  'users-immutable: changes to a returned record do not reach the store': async (storage) => {
    const input = { ...newUser(1) };
    const user = taken(await storage.users.create(input, at(0)));
    Object.assign(input, { name: 'Mallory' });
    const before = { ...user };
    Reflect.set(user, 'name', 'Mallory');
    for (const row of await storage.users.list(everyUser, start)) Reflect.set(row, 'role', 'admin');
    const page = (await storage.users.list(everyUser, start)) as unknown[];
    if (!Object.isFrozen(page)) page.length = 0;
    assert.deepEqual(await storage.users.find(user.id), before);
    assert.deepEqual(await storage.users.list(everyUser, start), [before]);
  },

  'users-snapshot: a record that was returned does not change later': async (storage) => {
    const user = await addUser(storage, 1);
    const read = await storage.users.find(user.id);
    await storage.users.update(user.id, change({ name: 'Later' }), at(1));
    assert.equal(read?.name, 'User 1');
  },
});
