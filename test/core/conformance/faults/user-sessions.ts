/** Stores that break a rule of revoked tokens or of the last admin. */
import { setImmediate as tick } from 'node:timers/promises';
import {
  endsAdmin,
  isActiveAdmin,
  noUserDetails,
  revocationTime,
  revokesTokens,
} from '../../../../src/core/model/user.js';
import type { Storage } from '../../../../src/core/ports/storage.js';
import { everyUser } from '../../../../src/core/ports/user-store.js';
import { faults, storeFaults } from './fault.js';

/** Makes a store forget that an admin is the last: another one is there during the write. */
function forgetLastAdmin({ users }: Storage, when: () => Promise<boolean>): void {
  const create = users.create.bind(users);
  const update = users.update.bind(users);
  const remove = users.delete.bind(users);
  let others = 0;
  const beside = async <T>(write: () => Promise<T>): Promise<T> => {
    if (!(await when())) return await write();
    const email = `other${String(others++)}@example.com`;
    const fields = { ...noUserDetails, name: 'Other', passwordHash: undefined };
    const now = '2026-01-01T00:00:00.000000Z';
    const other = await create({ ...fields, email, role: 'admin', status: 'active' }, now);
    const outcome = await write();
    // Past the methods of the store, which would not let go of it.
    if (typeof other !== 'string') hidden.add(other.id);
    return outcome;
  };
  const hidden = new Set<string>();
  const list = users.list.bind(users);
  users.list = async (filter, slice) => (await list(filter, slice)).filter(({ id }) => !hidden.has(id));
  users.update = async (id, change, now, version) => await beside(() => update(id, change, now, version));
  users.delete = async (id, version) => await beside(() => remove(id, version));
}

export const userSessionFaults = [
  ...storeFaults('users', {
    update: {
      'only a new password revokes tokens: users-sessions-revoke, users-sessions-later':
        (update) =>
        (id, change, ...others) =>
          update(id, { ...change, revokesTokens: undefined }, ...others),
      'every change revokes tokens: users-sessions-kept':
        (update) =>
        (id, change, ...others) =>
          update(id, { ...change, revokesTokens: true }, ...others),
      'a revocation of the same moment, or by a clock that is behind, changes nothing: users-sessions-later':
        (update, { users }) =>
        async (id, change, now, version) => {
          const before = (await users.find(id))?.sessionsFrom ?? '';
          const revokesTokens = before >= now ? undefined : change.revokesTokens;
          return await update(id, { ...change, revokesTokens }, now, version);
        },
      'the revocation before is read before the write, not with it: users-sessions-race':
        (update, { users }) =>
        async (id, change, now, version) => {
          const before = (await users.find(id))?.sessionsFrom;
          await tick();
          const outcome = await update(id, change, now, version);
          if (typeof outcome === 'string' || !revokesTokens(change)) return outcome;
          return { ...outcome, sessionsFrom: revocationTime(before, now) };
        },
      'an inactive admin counts: users-last-admin':
        (update, { users }) =>
        async (id, change, ...others) => {
          const outcome = await update(id, change, ...others);
          if (outcome !== 'last-admin' || !endsAdmin(change)) return outcome;
          const user = await users.find(id);
          return user === undefined ? outcome : { ...user, role: 'user' };
        },
    },
  }),

  ...faults<Storage>({
    'the last admin is an admin like any other: users-last-admin, users-other-admin, users-race-last-admin-demotions':
      (storage) => {
        forgetLastAdmin(storage, () => Promise.resolve(true));
      },
    'admins are counted before the write, not with it: users-race-last-admin-demotions, users-race-last-admin-deactivations, users-race-last-admin-deletions':
      (storage) => {
        const list = storage.users.list.bind(storage.users);
        forgetLastAdmin(storage, async () => {
          const admins = (await list(everyUser, { offset: 0, limit: 100 })).filter(isActiveAdmin);
          await tick();
          return admins.length > 1;
        });
      },
  }),
];
