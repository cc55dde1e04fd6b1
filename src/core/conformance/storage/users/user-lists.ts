/** The checks of a user store that lists, counts and filters. */
import assert from 'node:assert/strict';
import { everyUser } from '../../../ports/user-store.js';
import { storeChecks } from '../../check.js';
import {
  addUser,
  addUserIds,
  addUsers,
  ascending,
  at,
  change,
  idsOf,
  inTurn,
  listsOnly,
  newUser,
  readAll,
  start,
} from '../../samples.js';

export const userListChecks = storeChecks(['users'], {
  'users-list-order: lists ascend by id as a number: 10 comes after 9': async (storage) => {
    const created = idsOf(await addUsers(storage, 12));
    assert.deepEqual(idsOf(await storage.users.list(everyUser, start)), created);
    assert.deepEqual(created, ascending(created));
    const page = await storage.users.list(everyUser, { after: created[8], limit: 2 });
    assert.deepEqual(idsOf(page), created.slice(9, 11));
  },

  'users-list-offset: an offset slice has the right records, and is empty past the end': async (storage) => {
    const created = idsOf(await addUsers(storage, 7));
    for (const [offset, limit] of [
      [0, 3],
      [3, 3],
      [6, 3],
      [7, 3],
      [0, 100],
      [9e15, 100],
    ] as const) {
      const ids = idsOf(await storage.users.list(everyUser, { offset, limit }));
      assert.deepEqual(ids, created.slice(offset, offset + limit), `offset ${offset}, limit ${limit}`);
    }
  },

  'users-list-after: a slice after an id starts behind it, whether or not it exists': async (storage) => {
    const [one, two, three] = await addUserIds(storage);
    const after = async (id: string | undefined) =>
      idsOf(await storage.users.list(everyUser, { after: id, limit: 9 }));
    assert.deepEqual(await after(undefined), [one, two, three]);
    assert.deepEqual(await after('0'), [one, two, three]);
    assert.deepEqual(await after(three), []);
    assert.deepEqual(await after('9'.repeat(18)), []);
    await storage.users.delete(two);
    assert.deepEqual(await after(two), [three]);
  },

  'users-list-exhaustive: paging gives every remaining user exactly once, while others are created and deleted':
    async (storage) => {
      const { users } = storage;
      const created = idsOf(await addUsers(storage, 30));
      const leaving = new Set(created.filter((_, index) => index % 3 === 0));
      let number = 100;
      const met = await readAll(async (slice) => {
        const page = await users.list(everyUser, slice);
        await users.create(newUser(number++), at(1));
        for (const id of [...leaving].slice(0, 2)) {
          await users.delete(id);
          leaving.delete(id);
        }
        return page;
      }, 4);
      const ids = idsOf(met);
      assert.equal(new Set(ids).size, ids.length, 'no user twice');
      for (const id of created.filter((_, index) => index % 3 !== 0))
        assert.ok(ids.includes(id), `user ${id} is met`);
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
    for (const role of [undefined, 'user', 'admin', 'owner']) {
      for (const status of [undefined, 'active', 'ACTIVE']) {
        for (const city of [undefined, 'Rome', 'rome', 'Rom', '', '\u0000', '%']) {
          const expected = all.filter(
            (user) =>
              (role === undefined || user.role === role) &&
              (status === undefined || user.status === status) &&
              (city === undefined || user.city === city),
          );
          const filter = { role, status, city };
          await listsOnly(
            expected,
            (slice) => users.list(filter, slice),
            () => users.count(filter),
          );
        }
      }
    }
  },

  'users-count: the count follows every create and delete': async (storage) => {
    const { users } = storage;
    assert.equal(await users.count(everyUser), 0);
    const [first, second, third] = await addUsers(storage, 3);
    assert.equal(await users.count(everyUser), 3);
    await users.create(newUser(1), at(0)); // refused: the email is taken
    await users.update(first?.id ?? '', change({ name: 'x' }), at(1));
    assert.equal(await users.count(everyUser), 3);
    await users.delete(first?.id ?? '');
    await users.delete(first?.id ?? '');
    assert.equal(await users.count(everyUser), 2);
    const romans = { ...everyUser, city: 'Rome' };
    const counts = () =>
      Promise.all([{ ...everyUser, role: 'admin' }, romans].map((each) => users.count(each)));
    assert.deepEqual(await counts(), [0, 0]);
    await users.update(second?.id ?? '', change({ role: 'admin', city: 'Rome' }), at(1));
    assert.deepEqual(await counts(), [1, 1]);
    await users.update(second?.id ?? '', change({ city: null }), at(1));
    await users.update(third?.id ?? '', change({ role: 'admin', city: 'Rome' }), at(1));
    assert.deepEqual(await counts(), [2, 1]);
    await users.delete(third?.id ?? '');
    assert.deepEqual(await counts(), [1, 0]);
  },

  'users-ids-never-reused: an id is not used again, also when it was the last one': async (storage) => {
    const ids = await inTurn(5, async (number) => {
      const { id } = await addUser(storage, number);
      await storage.users.delete(id);
      return BigInt(id);
    });
    for (const [index, id] of ids.slice(1).entries()) assert.ok(id > (ids[index] ?? 0n), 'ids grow');
  },
});
