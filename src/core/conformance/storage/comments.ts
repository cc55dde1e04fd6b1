/** The checks of a comment store. */
import assert from 'node:assert/strict';
import { parseId } from '../../model/id.js';
import type { Comment } from '../../model/order.js';
import { everyComment, type NewComment } from '../../ports/order-store.js';
import type { Stores } from '../../ports/storage.js';
import { type Row, storeChecks, type Table } from '../check.js';
import { recordChecks } from '../every-store.js';
import { finds, lists } from '../reads.js';
import {
  addOrder,
  addUser,
  addUserIds,
  addUserWithOrder,
  at,
  atOnce,
  inTurn,
  oddIds,
  pending,
  start,
  taken,
} from '../samples.js';

const stores = ['comments', 'orders', 'users'] as const;
type Parts = Pick<Stores, (typeof stores)[number]>;

function reads({ comments }: Parts, all: readonly Comment[], gone: readonly Comment[] = []): Table {
  const orders = [...new Set([...all, ...gone].map(({ orderId }) => orderId))];
  const authors = [...new Set([...all, ...gone].map(({ userId }) => userId))];
  const by = (id: string) => all.filter(({ userId }) => userId === id);
  const on = (id: string) => all.filter(({ orderId }) => orderId === id);
  return [
    ...lists(comments, all, everyComment),
    ...orders.map((orderId): Row => [() => comments.list({ ...everyComment, orderId }, start), on(orderId)]),
    ...authors.map((id): Row => [() => comments.list({ ...everyComment, concerning: id }, start), by(id)]),
    ...finds(comments, all, gone),
  ];
}

/** Adds a comment by one user on the order of another. */
async function addComment(
  storage: Parts,
  number: number,
  fields: Partial<NewComment> = {},
): Promise<Comment> {
  const order = await addOrder(storage, (await addUser(storage, 2 * number)).id);
  const author = await addUser(storage, 2 * number + 1);
  const comment = { orderId: order.id, userId: author.id, text: 'Thanks', ...fields };
  return taken(await storage.comments.create(comment, at(0)));
}

export const commentChecks = [
  ...recordChecks<keyof Parts, Comment>({
    prefix: 'comments',
    noun: 'comment',
    stores,
    create: (storage, number, stored) => addComment(storage, number, { stored }),
    writes: [],
    removals: {
      'comments-cascade-order: the comments on a deleted order are gone, and only those': (
        { orders },
        { orderId },
      ) => orders.delete(orderId, pending),
      'comments-cascade-user: the comments of a deleted user are gone, and only those': (
        { users },
        { userId },
      ) => users.delete(userId),
    },
    reads,
    filtered: async ({ comments }, stored) => {
      const filter = { ...everyComment, stored };
      return [await comments.list(filter, start), await comments.count(filter)];
    },
    unknown: ({ comments }, id) => [[() => comments.find(id), undefined]],
  }),

  ...storeChecks(stores, {
    'comments-create: create gives back the comment with its id and time': async (storage) => {
      const { userId, order } = await addUserWithOrder(storage);
      const fields = { orderId: order.id, userId, text: 'Leave it\r\nat the door 💡' };
      const now = '2026-01-01T00:00:00.000001Z';
      const comment = taken(await storage.comments.create(fields, now));
      assert.equal(parseId(comment.id), comment.id);
      assert.deepEqual(comment, { ...fields, id: comment.id, createdAt: now });
      return reads(storage, [comment]);
    },

    'comments-references: a comment needs an order and a user that exist': async (storage) => {
      const { comments, users, orders } = storage;
      const [userId, goneUser] = await addUserIds(storage);
      const [order, goneOrder] = [await addOrder(storage, userId), await addOrder(storage, userId)];
      await users.delete(goneUser);
      await orders.delete(goneOrder.id, pending);
      const create = (fields: { orderId?: string; userId?: string }) =>
        comments.create({ orderId: order.id, userId, text: 'T', ...fields }, at(0));
      await create({});
      return [
        ...[...oddIds, goneUser].flatMap((odd): Table => [
          [() => create({ userId: odd }), 'user-not-found'],
          [() => comments.list({ ...everyComment, concerning: odd }, start), []],
          [() => comments.count({ ...everyComment, concerning: odd }), 0],
        ]),
        ...[...oddIds, goneOrder.id].flatMap((odd): Table => [
          [() => create({ orderId: odd }), 'order-not-found'],
          [() => comments.list({ ...everyComment, orderId: odd }, start), []],
          [() => comments.count({ ...everyComment, orderId: odd }), 0],
        ]),
        [() => comments.count(everyComment), 1],
      ];
    },

    'comments-list: lists and counts filter by order and by whom they concern': async (storage) => {
      const [a, b, c] = await addUserIds(storage);
      const owners = new Map([
        [(await addOrder(storage, a)).id, a],
        [(await addOrder(storage, b)).id, b],
      ]);
      const orders = [...owners.keys()];
      const all = await inTurn(12, async (number) => {
        const fields = { orderId: orders[number % 2] ?? '', userId: number % 3 ? a : b, text: `${number}` };
        return taken(await storage.comments.create(fields, at(number)));
      });
      const filters = [undefined, ...orders].flatMap((orderId) =>
        [undefined, a, b, c].map((concerning) => ({ orderId, concerning })),
      );
      return filters.flatMap((filter) => {
        const matches = all.filter(
          ({ orderId, userId }) =>
            [undefined, orderId].includes(filter.orderId) &&
            [undefined, userId, owners.get(orderId)].includes(filter.concerning),
        );
        return lists(storage.comments, matches, filter);
      });
    },

    'comments-outlive-owner: comments of others on the orders of a deleted user stay': async (storage) => {
      const { userId: owner, order } = await addUserWithOrder(storage);
      const comment = await addComment(storage, 1, { orderId: order.id });
      return [[() => storage.users.delete(owner), 'deleted'], ...reads(storage, [comment])];
    },

    'comments-race-order: no comment outlives an order that is deleted meanwhile': async (storage) => {
      const { userId, order } = await addUserWithOrder(storage);
      const fields = { orderId: order.id, userId, text: 'T' };
      const create = () => storage.comments.create(fields, at(0));
      const before = atOnce(4, create);
      const deleted = storage.orders.delete(order.id, pending);
      const outcomes = (await Promise.all([before, atOnce(4, create)])).flat();
      const refusals = new Set(outcomes.filter((outcome) => typeof outcome === 'string'));
      refusals.delete('order-not-found');
      return [
        [() => deleted, 'deleted'],
        [() => [...refusals], []],
        ...lists(storage.comments, [], everyComment),
        ...lists(storage.comments, [], { ...everyComment, orderId: order.id }),
      ];
    },
  }),
];
