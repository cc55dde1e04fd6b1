/** The checks of a user store with simultaneous writers, and of its last active admin. */
import { isActiveAdmin } from '../../../model/user.js';
import type { Stores } from '../../../ports/storage.js';
import { everyUser } from '../../../ports/user-store.js';
import { storeChecks, type Table } from '../../check.js';
import {
  addUser,
  addUsers,
  at,
  atOnce,
  change,
  idsOf,
  inTurn,
  newUser,
  oneWinner,
  start,
  taken,
} from '../../samples.js';
import { userReads } from './users.js';

type Users = Pick<Stores, 'users'>;

export const userRaceChecks = storeChecks(['users'], {
  'users-race-create: of creates with the same email at once, exactly one wins': async (storage) => {
    const emails = ['same@example.com', 'SAME@example.com'];
    const outcomes = await atOnce(8, (number) =>
      storage.users.create(newUser(number, { email: emails[number % 2] ?? '' }), at(number)),
    );
    return userReads(storage, [oneWinner(outcomes, 'email-taken')]);
  },

  'users-race-email: of changes to the same new email at once, exactly one wins': async (storage) => {
    const all = await addUsers(storage, 8);
    const email = 'new@example.com';
    const changes = all.map(({ id }) => storage.users.update(id, change({ email }), at(1)));
    const winner = oneWinner(await Promise.all(changes), 'email-taken');
    return userReads(
      storage,
      all.map((user) => (user.id === winner.id ? { ...winner, email } : user)),
    );
  },

  'users-race-version: of writes on the same version at once, exactly one wins': async (storage) => {
    const { id } = await addUser(storage, 1);
    const outcomes = await atOnce(8, (writer) =>
      storage.users.update(id, change({ name: `Writer ${writer}` }), at(1), 1),
    );
    return userReads(storage, [oneWinner(outcomes, 'stale')]);
  },

  'users-race-update: no unconditional write is lost: each adds one to the version': async (storage) => {
    const { id } = await addUser(storage, 1);
    const update = (writer: number) => storage.users.update(id, change({ city: `City ${writer}` }), at(1));
    const versions = (await atOnce(8, update)).map((outcome) => taken(outcome).version);
    return [[() => versions.toSorted(), [2, 3, 4, 5, 6, 7, 8, 9]]];
  },

  'users-race-delete: of deletes at once, exactly one wins': async (storage) => {
    const { id } = await addUser(storage, 1);
    const outcomes = await atOnce(8, () => storage.users.delete(id));
    return [
      [() => outcomes.filter((outcome) => outcome !== 'not-found'), ['deleted']],
      ...userReads(storage, []),
    ];
  },
});

const [demotion, deactivation] = [change({ role: 'user' }), change({ status: 'inactive' })];

async function addAdmins(storage: Users, count: number): Promise<string[]> {
  return idsOf(await inTurn(count, (number) => addUser(storage, number, { role: 'admin' })));
}

/** All admins end to be one at once. */
const race =
  (end: (storage: Users, id: string) => Promise<unknown>) =>
  async (storage: Users): Promise<Table> => {
    const ids = await addAdmins(storage, 6);
    const outcomes = await Promise.all(ids.map((id) => end(storage, id)));
    return [
      [() => outcomes.filter((outcome) => outcome === 'last-admin').length, 1],
      [async () => (await storage.users.list(everyUser, start)).filter(isActiveAdmin).length, 1],
    ];
  };

export const lastAdminChecks = storeChecks(['users'], {
  'users-last-admin: the only active admin cannot be deleted, demoted or deactivated, and what was refused changed nothing':
    async (storage) => {
      const { users } = storage;
      const admin = await addUser(storage, 1, { role: 'admin' });
      const others = [
        await addUser(storage, 2),
        await addUser(storage, 3, { role: 'admin', status: 'inactive' }),
      ];
      const { id } = admin;
      return [
        [() => users.update(id, demotion, at(1)), 'last-admin'],
        [() => users.update(id, { ...deactivation, name: 'New' }, at(1), 1), 'last-admin'],
        [() => users.update(id, { ...demotion, passwordHash: '$new$' }, at(1)), 'last-admin'],
        [() => users.delete(id), 'last-admin'],
        [() => users.delete(id, 2), 'stale'], // which is compared first
        ...userReads(storage, [admin, ...others]),
      ];
    },

  'users-other-admin: an admin beside another, an inactive admin and a user may be deleted, demoted and deactivated':
    async (storage) => {
      const { users } = storage;
      const [first = '', second = '', third = '', last = ''] = await addAdmins(storage, 4);
      const inactive = await addUser(storage, 5, { role: 'admin', status: 'inactive' });
      const user = await addUser(storage, 6);
      return [
        [() => users.update(first, demotion, at(1)), taken],
        [() => users.update(second, deactivation, at(1)), taken],
        [() => users.delete(third, 1), 'deleted'],
        [() => users.update(inactive.id, demotion, at(1)), taken],
        [() => users.update(user.id, { ...deactivation, role: 'user' }, at(1)), taken],
        [() => users.delete(user.id), 'deleted'],
        [() => users.update(last, change({ role: 'admin', name: 'New' }), at(1)), taken],
        [() => users.update(last, demotion, at(2)), 'last-admin'],
      ];
    },

  'users-race-last-admin-demotions: of demotions of all admins at once, one is refused': race(
    ({ users }, id) => users.update(id, demotion, at(1)),
  ),
  'users-race-last-admin-deactivations: of deactivations of all admins at once, one is refused': race(
    ({ users }, id) => users.update(id, deactivation, at(1)),
  ),
  'users-race-last-admin-deletions: of deletions of all admins at once, one is refused': race(
    ({ users }, id) => users.delete(id),
  ),
});
