/** The checks of transactions: all of one is stored, or nothing, and nobody else sees a part of it. */
import assert from 'node:assert/strict';
import type { Stores } from '../../ports/storage.js';
import { everyUser } from '../../ports/user-store.js';
import { storeChecks } from '../check.js';
import { addPost, addUser, at, auditEntry, change, entriesIn, newUser, start } from '../samples.js';

type Part = Pick<Stores, 'transaction' | 'audit' | 'users' | 'posts'>;

/** Creates a user with an entry of the audit log, and then does other work. */
function writeUser(
  { transaction }: Part,
  number: number,
  work: () => Promise<void> = () => Promise.resolve(),
) {
  return transaction(async (tx) => {
    const user = await tx.users.create(newUser(number), at(1));
    await tx.audit.add([auditEntry(1, { detail: typeof user === 'string' ? user : user.id })]);
    await Promise.resolve();
    await work();
    return user;
  });
}

const failure = new Error('the other work failed');
const fail = () => Promise.reject(failure);

export const transactionChecks = storeChecks(['transaction', 'audit', 'users', 'posts'], {
  'transaction-kept: the outcome of the work is returned, and all that it wrote is stored': async (
    storage,
  ) => {
    const user = await writeUser(storage, 1);
    assert.deepEqual(await storage.users.list(everyUser, start), [user]);
    assert.equal((await entriesIn(storage)).length, 1);
    assert.equal(await writeUser(storage, 1), 'email-taken', 'a refusal is an outcome');
    assert.deepEqual(
      (await entriesIn(storage)).map(({ detail }) => detail),
      [typeof user === 'object' ? user.id : '', 'email-taken'],
    );
  },

  'transaction-undone: work that fails undoes its writes with their cascades, and its error is thrown':
    async (storage) => {
      const { transaction, users, posts } = storage;
      const user = await addUser(storage, 1);
      const post = await addPost(storage, user.id);
      const undone = transaction(async (tx) => {
        assert.equal(await tx.users.delete(user.id), 'deleted');
        await fail();
      });
      await assert.rejects(undone, failure);
      await assert.rejects(writeUser(storage, 2, fail), failure);
      assert.deepEqual(await users.list(everyUser, start), [user]);
      assert.deepEqual(await posts.find(post.id), post);
      assert.deepEqual(await entriesIn(storage), []);
      assert.notEqual(await users.create(newUser(2), at(1)), 'email-taken');
    },

  'transaction-isolated: work reads what it has written, and others do not until it has ended': async (
    storage,
  ) => {
    const { transaction, users } = storage;
    const { id } = await addUser(storage, 1);
    let others: Promise<unknown> = Promise.resolve();
    await transaction(async (tx) => {
      await tx.users.update(id, change({ name: 'Changed' }), at(2));
      assert.equal((await tx.users.find(id))?.name, 'Changed');
      others = transaction((other) => other.users.find(id)); // may wait for the end, and then see the change
      await Promise.resolve();
      await tx.users.update(id, change({ name: 'Last' }), at(3));
    });
    assert.notEqual(((await others) as { readonly name: string }).name, 'Changed');
    assert.equal((await users.find(id))?.name, 'Last');
  },

  'transaction-nested: a transaction within one is part of it': async (storage) => {
    const nested = storage.transaction(async (tx) => {
      await tx.users.create(newUser(1), at(1));
      const user = await tx.transaction((inner) => inner.users.create(newUser(2), at(1)));
      assert.ok(typeof user === 'object');
      assert.deepEqual(await tx.users.find(user.id), user);
      await fail();
    });
    await assert.rejects(nested, failure);
    assert.equal(await storage.users.count(everyUser), 0);
  },

  'transaction-ended: a call after the end is refused': async ({ transaction, users }) => {
    const late = await transaction((tx) => Promise.resolve(() => tx.users.create(newUser(1), at(1))));
    await assert.rejects(late);
    assert.equal(await users.count(everyUser), 0);
  },

  'transaction-apart: of several at once, those that fail take no other with them': async (storage) => {
    const outcomes = await Promise.allSettled(
      [1, 2, 3, 4].map((number) => writeUser(storage, number, number % 2 === 0 ? fail : undefined)),
    );
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled', 'rejected'],
    );
    assert.equal(await storage.users.count(everyUser), 2);
    assert.equal((await entriesIn(storage)).length, 2);
  },
});
