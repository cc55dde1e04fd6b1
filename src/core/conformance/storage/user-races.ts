/** The checks of a user store with several callers who write at once. */
import assert from 'node:assert/strict';
import type { Storage } from '../../ports/storage.js';
import { everyUser } from '../../ports/user-store.js';
import { checks } from '../check.js';
import { addUser, addUsers, at, change, newUser, start } from './records.js';

const writers = Array.from({ length: 8 }, (_, index) => index);

export const userRaceChecks = checks<Storage>({
  'users-race-create: of creates with the same email at once, exactly one wins': async ({ users }) => {
    const outcomes = await Promise.all(
      writers.map((index) =>
        users.create(
          newUser(index, { email: index % 2 ? 'same@example.com' : 'SAME@example.com' }),
          at(index),
        ),
      ),
    );
    assert.equal(outcomes.filter((outcome) => outcome !== 'email-taken').length, 1);
    assert.equal(await users.count(everyUser), 1);
    assert.equal((await users.list(everyUser, start)).length, 1);
  },

  'users-race-email: of changes to the same new email at once, exactly one wins': async (storage) => {
    const users = await addUsers(storage, writers.length);
    const outcomes = await Promise.all(
      users.map(({ id }) => storage.users.update(id, change({ email: 'new@example.com' }), at(1))),
    );
    assert.equal(outcomes.filter((outcome) => typeof outcome !== 'string').length, 1);
    assert.equal(outcomes.filter((outcome) => outcome === 'email-taken').length, writers.length - 1);
    const owners = await storage.users.list(everyUser, start);
    assert.equal(owners.filter(({ email }) => email === 'new@example.com').length, 1);
  },

  'users-race-version: of writes on the same version at once, exactly one wins': async (storage) => {
    const { id } = await addUser(storage, 1);
    const outcomes = await Promise.all(
      writers.map((index) => storage.users.update(id, change({ name: `Writer ${index}` }), at(1), 1)),
    );
    const winner = outcomes.filter((outcome) => typeof outcome !== 'string');
    assert.equal(winner.length, 1);
    assert.equal(outcomes.filter((outcome) => outcome === 'stale').length, writers.length - 1);
    assert.deepEqual(await storage.users.find(id), winner[0]);
  },

  'users-race-update: no unconditional write is lost: each adds one to the version': async (storage) => {
    const { id } = await addUser(storage, 1);
    const outcomes = await Promise.all(
      writers.map((index) => storage.users.update(id, change({ city: `City ${index}` }), at(1))),
    );
    const versions = outcomes.map((outcome) => (typeof outcome === 'string' ? outcome : outcome.version));
    assert.deepEqual(
      versions.toSorted(),
      writers.map((index) => index + 2),
    );
  },

  'users-race-delete: of deletes at once, exactly one wins': async (storage) => {
    const { id } = await addUser(storage, 1);
    const outcomes = await Promise.all(writers.map(() => storage.users.delete(id)));
    assert.equal(outcomes.filter((outcome) => outcome === 'deleted').length, 1);
    assert.equal(await storage.users.count(everyUser), 0);
  },

  'users-race-ids: users created at once get different ids': async (storage) => {
    const users = await Promise.all(Array.from({ length: 40 }, (_, number) => addUser(storage, number)));
    assert.equal(new Set(users.map(({ id }) => id)).size, users.length);
    assert.equal(await storage.users.count(everyUser), users.length);
  },
});
