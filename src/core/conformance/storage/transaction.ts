/** The checks of transactions: each is stored as a whole or not at all, and other callers never see a part of it. */
import assert from 'node:assert/strict';
import { once } from '../../ports/idempotency-store.js';
import { everyComment, everyOrder } from '../../ports/order-store.js';
import type { Stores } from '../../ports/storage.js';
import { everyUser } from '../../ports/user-store.js';
import { storeChecks } from '../check.js';
import { addOrder, addPost, addUser, at, auditEntry, change, entriesIn, newUser, start } from '../samples.js';

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

/** Reads some records of every store, so that a check can compare them before and after a transaction. */
async function contentOf(storage: Pick<Stores, Exclude<keyof Stores, 'transaction'>>) {
  const { users, posts, orders, products, comments, apiKeys, outbox, idempotency } = storage;
  const orderId = (await orders.list(everyOrder, start))[0]?.id ?? '0';
  const productId = (await products.list(start))[0]?.id ?? '0';
  const identity = await storage.externalIdentities.findUser(identityOfChecks);
  return [
    ...[await users.list(everyUser, start), await posts.list({ after: undefined, limit: 9 })],
    ...[
      await orders.list(everyOrder, start),
      await products.list(start),
      await products.listCategories(productId),
    ],
    ...[await comments.list({ ...everyComment, orderId }, start), await apiKeys.list(start)],
    ...[await outbox.receivers(), await storage.refreshTokens.find('token'), identity],
    ...[await idempotency.find(keyOfChecks, at(1)), await entriesIn(storage)],
  ] as const;
}

const identityOfChecks = { issuer: 'https://id.example.com', subject: 'person' };
const keyOfChecks = { caller: 'user:1', keyHash: 'key', requestHash: 'request', expiresAt: at(59) };

/** Writes to every store. */
async function writeAll(stores: Stores): Promise<void> {
  const { users, posts, products, comments, apiKeys, outbox } = stores;
  const user = await addUser(stores, 1);
  const userId = user.id;
  await stores.externalIdentities.findOrCreateUser(identityOfChecks, newUser(2), at(1));
  await posts.create({ title: 'Title', content: 'Text', authorId: userId }, at(1));
  const order = await addOrder(stores, userId);
  const lamp = { name: 'Lamp', description: undefined, priceCents: 100 };
  const product = await once(stores, keyOfChecks, at(1), () => products.create(lamp));
  await products.setCategories('id' in product ? product.id : '', ['Light']);
  await comments.create({ orderId: order.id, userId, text: 'Text' }, at(1));
  await stores.refreshTokens.create({ hash: 'token', userId, expiresAt: at(59) }, user.version);
  await apiKeys.create({ name: 'Key', hash: 'hash', ownerId: userId }, at(1));
  await outbox.create({ consumer: undefined, url: 'https://hooks.example.com/' }, at(1));
  await stores.audit.add([auditEntry(1)]);
  await users.update(userId, change({ name: 'Changed' }), at(2));
}

const everyStore = [
  ...(['transaction', 'users', 'externalIdentities', 'posts', 'orders', 'products', 'comments'] as const),
  ...(['refreshTokens', 'apiKeys', 'idempotency', 'audit', 'outbox'] as const),
];

const everyStoreChecks = storeChecks(everyStore, {
  'transaction-every-store: every store takes part: all of their writes are stored, or none': async (
    storage,
  ) => {
    const { transaction } = storage;
    const empty = await contentOf(storage);
    const undone = transaction(async (tx) => {
      await writeAll(tx);
      await fail();
    });
    await assert.rejects(undone, failure);
    assert.deepEqual(await contentOf(storage), empty);
    const seen = await transaction(async (tx) => {
      await writeAll(tx);
      return await contentOf(tx);
    });
    for (const part of seen) assert.ok(Array.isArray(part) ? part.length > 0 : part !== undefined);
    assert.deepEqual(await contentOf(storage), seen);
  },
});

export const transactionChecks = [
  ...everyStoreChecks,
  ...storeChecks(['transaction', 'audit', 'users', 'posts'], {
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

    'transaction-brief: of brief work at once each is stored whole or not at all, and others see no part of it':
      async (storage) => {
        const { transaction, users } = storage;
        const seen: Promise<unknown>[] = [];
        const write = (number: number) =>
          transaction(async (tx) => {
            await tx.users.create(newUser(number), at(1));
            seen.push(users.findCredentials('user2@example.com'));
            await tx.audit.add([auditEntry(1)]);
            if (number === 2) await fail();
          }, true);
        const outcomes = await Promise.allSettled([1, 2, 3].map(write));
        assert.deepEqual(
          outcomes.map(({ status }) => status),
          ['fulfilled', 'rejected', 'fulfilled'],
        );
        assert.deepEqual(await Promise.all(seen), [undefined, undefined, undefined]);
        assert.equal(await users.count(everyUser), 2);
        assert.equal((await entriesIn(storage)).length, 2);
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
  }),
];
