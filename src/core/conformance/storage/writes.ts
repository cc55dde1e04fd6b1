/** The checks of writes with other work in their step: all of it is stored, or nothing. */
import assert from 'node:assert/strict';
import type { WriteAdditions } from '../../ports/write-store.js';
import { everyUser } from '../../ports/user-store.js';
import { addPost, addUser, at, auditEntry, entriesIn, newUser, start } from '../samples.js';
import { storeChecks } from '../check.js';

const additions = (): WriteAdditions => ({
  entries: [auditEntry(1)],
});

export const writeChecks = storeChecks(['writes', 'audit', 'users', 'posts'], {
  'writes-after: other work gets the outcome, and ends before the write does': async (storage) => {
    const seen: unknown[] = [];
    const user = await storage.writes.write(
      'users',
      'create',
      [newUser(1), at(1)],
      additions,
      async (outcome) => {
        await Promise.resolve();
        seen.push(outcome);
      },
    );
    assert.deepEqual(seen, [user]);
    assert.equal(await storage.users.count(everyUser), 1);
    assert.equal((await entriesIn(storage)).length, 1);
  },

  'writes-undone: work that fails undoes the write with its cascades, and its error is thrown': async (
    storage,
  ) => {
    const { writes, users, posts } = storage;
    const user = await addUser(storage, 1);
    const post = await addPost(storage, user.id);
    const failure = new Error('the other work failed');
    const fail = () => Promise.reject(failure);
    await assert.rejects(writes.write('users', 'delete', [user.id], additions, fail), failure);
    await assert.rejects(writes.write('users', 'create', [newUser(2), at(1)], additions, fail), failure);
    assert.deepEqual(await users.list(everyUser, start), [user]);
    assert.deepEqual(await posts.find(post.id), post);
    assert.deepEqual(await entriesIn(storage), []);
    assert.notEqual(await users.create(newUser(2), at(1)), 'email-taken');
  },

  'writes-apart: of writes at once, each with other work, those that fail take no other with them': async (
    storage,
  ) => {
    const outcomes = await Promise.allSettled(
      [1, 2, 3, 4].map((number) =>
        storage.writes.write('users', 'create', [newUser(number), at(1)], additions, async () => {
          await Promise.resolve();
          if (number % 2 === 0) throw new Error('the other work failed');
        }),
      ),
    );
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled', 'rejected'],
    );
    assert.equal(await storage.users.count(everyUser), 2);
    assert.equal((await entriesIn(storage)).length, 2);
  },
});
