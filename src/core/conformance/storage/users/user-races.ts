/** The checks of a user store with simultaneous writers, and of its last active admin. */
import assert from 'node:assert/strict';
import { isActiveAdmin } from '../../../model/user.js';
import type { Stores } from '../../../ports/storage.js';
import { everyUser, type UserChange } from '../../../ports/user-store.js';
import { storeChecks } from '../../check.js';
import {
  addUser,
  addUsers,
  at,
  atOnce,
  change,
  idsOf,
  inTurn,
  newUser,
  start,
  taken,
  winners,
} from '../../samples.js';

export const userRaceChecks = storeChecks(['users'], {
  'users-race-create: of creates with the same email at once, exactly one wins': async ({ users }) => {
    const outcomes = await atOnce(8, (index) =>
      users.create(newUser(index, { email: index % 2 ? 'same@example.com' : 'SAME@example.com' }), at(index)),
    );
    assert.equal(winners(outcomes).length, 1);
    assert.equal(await users.count(everyUser), 1);
    assert.equal((await users.list(everyUser, start)).length, 1);
  },

  'users-race-email: of changes to the same new email at once, exactly one wins': async (storage) => {
    const users = await addUsers(storage, 8);
    const outcomes = await Promise.all(
      users.map(({ id }) => storage.users.update(id, change({ email: 'new@example.com' }), at(1))),
    );
    assert.equal(winners(outcomes).length, 1);
    assert.equal(outcomes.filter((outcome) => outcome === 'email-taken').length, 7);
    const owners = await storage.users.list(everyUser, start);
    assert.equal(owners.filter(({ email }) => email === 'new@example.com').length, 1);
  },

  'users-race-version: of writes on the same version at once, exactly one wins': async (storage) => {
    const { id } = await addUser(storage, 1);
    const outcomes = await atOnce(8, (index) =>
      storage.users.update(id, change({ name: `Writer ${index}` }), at(1), 1),
    );
    assert.equal(outcomes.filter((outcome) => outcome === 'stale').length, 7);
    assert.deepEqual([await storage.users.find(id)], winners(outcomes));
  },

  'users-race-update: no unconditional write is lost: each adds one to the version': async (storage) => {
    const { id } = await addUser(storage, 1);
    const outcomes = await atOnce(8, (index) =>
      storage.users.update(id, change({ city: `City ${index}` }), at(1)),
    );
    const versions = winners(outcomes).map(({ version }) => version);
    assert.deepEqual(versions.toSorted(), [2, 3, 4, 5, 6, 7, 8, 9]);
  },

  'users-race-delete: of deletes at once, exactly one wins': async (storage) => {
    const { id } = await addUser(storage, 1);
    const outcomes = await atOnce(8, () => storage.users.delete(id));
    assert.equal(outcomes.filter((outcome) => outcome === 'deleted').length, 1);
    assert.equal(await storage.users.count(everyUser), 0);
  },

  'users-race-ids: users created at once get different ids': async (storage) => {
    const users = await atOnce(40, (number) => addUser(storage, number));
    assert.equal(new Set(users.map(({ id }) => id)).size, users.length);
    assert.equal(await storage.users.count(everyUser), users.length);
  },
});

const demotion: UserChange = change({ role: 'user' });
const deactivation: UserChange = change({ status: 'inactive' });

async function addAdmins(storage: Pick<Stores, 'users'>, count: number): Promise<string[]> {
  return idsOf(await inTurn(count, (number) => addUser(storage, number, { role: 'admin' })));
}

export const lastAdminChecks = storeChecks(['users'], {
  'users-last-admin: the only active admin cannot be deleted, demoted or deactivated, and what was refused changed nothing':
    async (storage) => {
      const { users } = storage;
      const admin = await addUser(storage, 1, { role: 'admin' });
      await addUser(storage, 2);
      await addUser(storage, 3, { role: 'admin', status: 'inactive' });
      assert.equal(await users.update(admin.id, demotion, at(1)), 'last-admin');
      assert.equal(await users.update(admin.id, { ...deactivation, name: 'New' }, at(1), 1), 'last-admin');
      assert.equal(await users.update(admin.id, { ...demotion, passwordHash: '$new$' }, at(1)), 'last-admin');
      assert.equal(await users.delete(admin.id), 'last-admin');
      assert.equal(await users.delete(admin.id, 2), 'stale', 'a stale version is reported first');
      assert.deepEqual(await users.find(admin.id), admin);
    },

  'users-other-admin: an admin beside another, an inactive admin and a user may be deleted, demoted and deactivated':
    async (storage) => {
      const { users } = storage;
      const [first = '', second = '', third = '', last = ''] = await addAdmins(storage, 4);
      const inactive = await addUser(storage, 5, { role: 'admin', status: 'inactive' });
      const user = await addUser(storage, 6);
      assert.equal(taken(await users.update(first, demotion, at(1))).role, 'user');
      assert.equal(taken(await users.update(second, deactivation, at(1))).status, 'inactive');
      assert.equal(await users.delete(third, 1), 'deleted');
      assert.equal(taken(await users.update(inactive.id, demotion, at(1))).role, 'user');
      const both = { ...deactivation, role: 'user' } as const;
      assert.equal(taken(await users.update(user.id, both, at(1))).status, 'inactive');
      assert.equal(await users.delete(user.id), 'deleted');
      taken(await users.update(last, change({ role: 'admin', name: 'New' }), at(1)));
      assert.equal(await users.update(last, demotion, at(2)), 'last-admin');
    },

  ...Object.fromEntries(
    (['demotions', 'deactivations', 'deletions'] as const).map((kind) => [
      `users-race-last-admin-${kind}: of ${kind} of all admins at once, one is refused`,
      async (storage: Pick<Stores, 'users'>) => {
        const ids = await addAdmins(storage, 6);
        const change = kind === 'demotions' ? demotion : deactivation;
        const outcomes = await Promise.all(
          ids.map((id) =>
            kind === 'deletions' ? storage.users.delete(id) : storage.users.update(id, change, at(1)),
          ),
        );
        assert.equal(outcomes.filter((outcome) => outcome === 'last-admin').length, 1);
        assert.equal((await storage.users.list(everyUser, start)).filter(isActiveAdmin).length, 1);
      },
    ]),
  ),
});
