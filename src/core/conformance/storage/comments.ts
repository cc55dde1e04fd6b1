/** The checks of a comment store. */
import assert from 'node:assert/strict';
import { parseId } from '../../model/id.js';
import type { Comment } from '../../model/order.js';
import type { Stores } from '../../ports/storage.js';
import { everyComment } from '../../ports/order-store.js';
import { storeChecks } from '../check.js';
import {
  addOrder,
  addUserIds,
  addUsers,
  addUserWithOrder,
  at,
  atOnce,
  idsOf,
  inTurn,
  listsOnly,
  oddIds,
  pending,
  start,
  taken,
} from '../samples.js';

export const commentChecks = storeChecks(['comments', 'orders', 'users'], {
  'comments-create: create gives back the comment with its id and time, and find finds it': async (
    storage,
  ) => {
    const { userId, order } = await addUserWithOrder(storage);
    const orderId = order.id;
    const fields = { orderId, userId, text: 'Leave it\r\nat the door 💡' };
    const comment = taken(await storage.comments.create(fields, '2026-01-01T00:00:00.000001Z'));
    assert.deepEqual(comment, { ...fields, id: comment.id, createdAt: '2026-01-01T00:00:00.000001Z' });
    assert.equal(parseId(comment.id), comment.id);
    assert.deepEqual(await storage.comments.find(comment.id), comment);
  },

  'comments-references: a comment needs an order and a user that exist': async (storage) => {
    const [userId, gone] = await addUserIds(storage);
    const { id: orderId } = await addOrder(storage, userId);
    await storage.users.delete(gone);
    const deleted = await addOrder(storage, userId);
    await storage.orders.delete(deleted.id, pending);
    const create = (fields: { orderId: string; userId: string }) =>
      storage.comments.create({ ...fields, text: 'T' }, at(0));
    for (const odd of [...oddIds, gone]) {
      assert.equal(await create({ orderId, userId: odd }), 'user-not-found');
    }
    for (const odd of [...oddIds, deleted.id]) {
      assert.equal(await create({ orderId: odd, userId }), 'order-not-found');
    }
    assert.equal(await storage.comments.count(everyComment), 0);
  },

  'comments-odd-ids: a text that is not an id is not found, and no comment concerns it': async (storage) => {
    await comments(storage);
    for (const odd of oddIds) {
      assert.equal(await storage.comments.find(odd), undefined);
      for (const filter of [{ orderId: odd }, { concerning: odd }]) {
        assert.deepEqual(await storage.comments.list({ ...everyComment, ...filter }, start), []);
        assert.equal(await storage.comments.count({ ...everyComment, ...filter }), 0);
      }
    }
  },

  'comments-list: lists and counts ascend by id and filter by order and by whom they concern': async (
    storage,
  ) => {
    const { all, users, orders, ownerOf } = await comments(storage);
    for (const orderId of [undefined, ...orders]) {
      for (const concerning of [undefined, ...users]) {
        const filter = { orderId, concerning };
        const expected = all.filter(
          (comment) =>
            (orderId === undefined || comment.orderId === orderId) &&
            (concerning === undefined || comment.userId === concerning || ownerOf(comment) === concerning),
        );
        const { comments } = storage;
        await listsOnly(
          expected,
          (slice) => comments.list(filter, slice),
          () => comments.count(filter),
        );
      }
    }
  },

  'comments-cascade-user: the comments of a deleted user are gone; those on their orders stay': async (
    storage,
  ) => {
    const { all, users } = await comments(storage);
    await storage.users.delete(users[0]);
    const left = all.filter((comment) => comment.userId !== users[0]);
    assert.deepEqual(await storage.comments.list(everyComment, start), left);
    assert.equal(await storage.comments.count(everyComment), left.length);
  },

  'comments-cascade-order: the comments on a deleted order are gone, and only those': async (storage) => {
    const { all, orders } = await comments(storage);
    await storage.orders.delete(orders[0], pending);
    const left = all.filter((comment) => comment.orderId !== orders[0]);
    assert.deepEqual(await storage.comments.list(everyComment, start), left);
    assert.equal(await storage.comments.count(everyComment), left.length);
    assert.deepEqual(await storage.comments.list({ ...everyComment, orderId: orders[0] }, start), []);
  },

  'comments-immutable: changes to a returned comment do not reach the store': async (storage) => {
    const { all } = await comments(storage);
    const [first] = all as [Comment];
    const before = { ...first };
    Reflect.set(first, 'text', 'Changed');
    assert.deepEqual(await storage.comments.find(first.id), before);
  },

  'comments-race-order: no comment outlives an order that is deleted while comments are made': async (
    storage,
  ) => {
    const { userId, order } = await addUserWithOrder(storage);
    const orderId = order.id;
    const create = () => storage.comments.create({ orderId, userId, text: 'T' }, at(0));
    const before = atOnce(4, create);
    const deleted = storage.orders.delete(orderId, pending);
    const outcomes = (await Promise.all([before, atOnce(4, create)])).flat();
    assert.equal(await deleted, 'deleted');
    const isRight = outcomes.every((outcome) => typeof outcome !== 'string' || outcome === 'order-not-found');
    assert.ok(isRight, 'a comment was refused although its order was there');
    assert.equal(await storage.comments.count(everyComment), 0);
    assert.deepEqual(await storage.comments.list(everyComment, start), []);
  },
});

/** Two users with one order each, and comments of both users on both orders. */
async function comments(storage: Pick<Stores, 'comments' | 'orders' | 'users'>) {
  const users = idsOf(await addUsers(storage, 2)) as [string, string];
  const owners = new Map<string, string>();
  for (const userId of users) owners.set((await addOrder(storage, userId)).id, userId);
  const orders = [...owners.keys()] as [string, string];
  const all = await inTurn(12, async (number) => {
    const fields = { orderId: orders[number % 2] ?? '', userId: users[number % 3 ? 0 : 1] };
    return taken(await storage.comments.create({ ...fields, text: `Comment ${number}` }, at(number)));
  });
  return { all, users, orders, ownerOf: ({ orderId }: Comment) => owners.get(orderId) };
}
