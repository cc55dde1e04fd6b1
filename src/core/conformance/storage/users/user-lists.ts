/** The checks of a user store that lists, counts and filters. */
import assert from 'node:assert/strict';
import type { User } from '../../../model/user.js';
import { everyUser, userFilterFields } from '../../../ports/user-store.js';
import { type Row, storeChecks, type Table } from '../../check.js';
import { lists, readAll } from '../../reads.js';
import { addUser, addUserIds, addUsers, at, change, idsOf, newUser, start, taken } from '../../samples.js';

export const userListChecks = storeChecks(['users'], {
  'users-list-offset: an offset slice has the right records, and is empty past the end': async (storage) => {
    const all = await addUsers(storage, 7);
    const row = (offset: number, limit: number): Row => [
      () => storage.users.list(everyUser, { offset, limit }),
      all.slice(offset, offset + limit),
    ];
    return [row(0, 3), row(3, 3), row(6, 3), row(7, 3), row(0, 100), row(9e15, 100)];
  },

  'users-list-after: a slice after an id starts behind it, whether or not it exists': async (storage) => {
    const { users } = storage;
    const [one, two, three] = await addUserIds(storage);
    const row = (after: string | undefined, ids: readonly string[]): Row => [
      () => users.list(everyUser, { after, limit: 9 }).then(idsOf),
      ids,
    ];
    return [
      row(undefined, [one, two, three]),
      row('0', [one, two, three]),
      row(three, []),
      row('9'.repeat(18), []),
      [() => users.delete(two), 'deleted'],
      row(two, [three]),
    ];
  },

  'users-list-exhaustive: paging gives every remaining user exactly once, while others are created and deleted':
    async (storage) => {
      const { users } = storage;
      const created = idsOf(await addUsers(storage, 30));
      const leaving = created.filter((_, index) => index % 3 === 0);
      const staying = created.filter((_, index) => index % 3 !== 0);
      let number = 100;
      const met = await readAll(async (slice) => {
        const page = await users.list(everyUser, slice);
        await users.create(newUser(number++), at(1));
        for (const id of leaving.splice(0, 2)) await users.delete(id);
        return page;
      }, 4);
      const ids = new Set(idsOf(met));
      const missed = staying.filter((id) => !ids.has(id));
      assert.deepEqual(missed, []);
    },

  'users-filter: filters match exactly and all at once, in lists and counts': async (storage) => {
    const { users } = storage;
    for (let number = 0; number < 16; number++) {
      await addUser(storage, number, {
        role: number & 1 ? 'admin' : 'user',
        status: number & 2 ? 'inactive' : 'active',
        ...(number & 4 && { city: number & 8 ? 'Rome' : 'rome' }),
      });
    }
    const all = await users.list(everyUser, start);
    const roles = [undefined, 'user', 'admin', 'owner'];
    const statuses = [undefined, 'active', 'ACTIVE'];
    const cities = [undefined, 'Rome', 'rome', 'Rom', '', '\0', '%'];
    const filters = roles.flatMap((role) =>
      statuses.flatMap((status) => cities.map((city) => ({ ...everyUser, role, status, city }))),
    );
    const [first, second] = all;
    assert.ok(first && second);
    const byEmail = (email: string, matches: readonly User[]) =>
      lists(users, matches, { ...everyUser, email });
    return [
      ...byEmail(first.email.toUpperCase(), [first]),
      ...['', '%', '\0', first.email.slice(0, -1)].flatMap((email) => byEmail(email, [])),
      ...lists(users, [], { ...everyUser, email: first.email, role: second.role }),
      ...filters.flatMap((filter) => {
        const matches = all.filter((user) =>
          userFilterFields.every((field) => [undefined, user[field]].includes(filter[field])),
        );
        return lists(users, matches, filter);
      }),
    ];
  },

  'users-count: the count follows every create, update and delete': async (storage) => {
    const { users } = storage;
    const [first, second, third] = await addUserIds(storage);
    const counts = (all: number, admins: number, romans: number): Table => [
      [() => users.count(everyUser), all],
      [() => users.count({ ...everyUser, role: 'admin' }), admins],
      [() => users.count({ ...everyUser, city: 'Rome' }), romans],
    ];
    const adminInRome = change({ role: 'admin', city: 'Rome' });
    return [
      ...counts(3, 0, 0),
      [() => users.create(newUser(1), at(0)), 'email-taken'],
      [() => users.update(first, change({ name: 'x' }), at(1)), taken],
      ...counts(3, 0, 0),
      [() => users.delete(first), 'deleted'],
      [() => users.delete(first), 'not-found'],
      ...counts(2, 0, 0),
      [() => users.update(second, adminInRome, at(1)), taken],
      ...counts(2, 1, 1),
      [() => users.update(second, change({ city: null }), at(1)), taken],
      [() => users.update(third, adminInRome, at(1)), taken],
      ...counts(2, 2, 1),
      [() => users.delete(third), 'deleted'],
      ...counts(1, 1, 0),
    ];
  },
});
