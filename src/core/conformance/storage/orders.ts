/** The checks of an order store. */
import assert from 'node:assert/strict';
import { parseId } from '../../model/id.js';
import type { Order } from '../../model/order.js';
import { everyOrder } from '../../ports/order-store.js';
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
  idsOf,
  inTurn,
  newItem,
  newOrder,
  oddIds,
  oneWinner,
  pending,
  processing,
  start,
  taken,
} from '../samples.js';

const items = [
  newItem({ productId: '7', name: 'Garden shears 💡', quantity: 10_000, unitPriceCents: 1_000_000_00 }),
  newItem({ name: 'Twine', quantity: 3, unitPriceCents: 10 }),
  newItem({ name: 'Twine', quantity: 3, unitPriceCents: 0 }),
];

/** These items, with the ids that they have in an order. */
const asIn = (order: Order, given: readonly object[]) =>
  given.map((item, index) => ({ ...item, id: order.items[index]?.id }));

function reads(
  { orders }: Pick<Stores, 'orders'>,
  all: readonly Order[],
  gone: readonly Order[] = [],
): Table {
  const users = [...new Set([...all, ...gone].map(({ userId }) => userId))];
  const of = (user: string) => all.filter(({ userId }) => userId === user);
  const briefOf = (user: string) => of(user).map(({ id, totalCents }) => ({ id, totalCents }));
  return [
    ...lists(orders, all, everyOrder),
    ...users.map((userId): Row => [() => orders.list({ userId }, start), of(userId)]),
    ...finds(orders, all, gone),
    [() => orders.summarize(users.toReversed(), 2), users.toReversed().map((id) => briefOf(id).slice(0, 2))],
  ];
}

export const orderChecks = [
  ...recordChecks<'orders' | 'users', Order>({
    prefix: 'orders',
    noun: 'order',
    stores: ['orders', 'users'],
    create: async (storage, number, stored) =>
      await addOrder(storage, (await addUser(storage, number)).id, { stored }),
    writes: [
      ({ orders }, { id }) => orders.update(id, { items: [newItem()], totalCents: 5 }, pending, at(1)),
      ({ orders }, { id }) => orders.update(id, { status: 'processing' }, pending, at(2)),
    ],
    removals: {
      'orders-delete: a deleted order is gone from everything, and its id is not used again': (
        { orders },
        { id, status, version },
      ) => orders.delete(id, { status, version }),
    },
    reads,
    filtered: async ({ orders }, stored) => {
      const filter = { ...everyOrder, stored };
      return [await orders.list(filter, start), await orders.count(filter)];
    },
    unknown: ({ orders }, id) => [
      [() => orders.find(id), undefined],
      [() => orders.update(id, { status: 'processing' }, pending, at(1)), 'not-found'],
      [() => orders.delete(id, pending), 'not-found'],
    ],
  }),

  ...storeChecks(['orders', 'users'], {
    'orders-create: create gives back a pending order with ids for itself and its items': async (storage) => {
      const { id: userId } = await addUser(storage, 1);
      const fields = { userId, items, totalCents: 10_000 * 1_000_000_00 + 30 };
      const order = taken(await storage.orders.create(fields, at(4)));
      for (const id of [order.id, ...idsOf(order.items)]) assert.equal(parseId(id), id);
      assert.equal(new Set(idsOf(order.items)).size, 3);
      const times = { createdAt: at(4), updatedAt: at(4) };
      const { id } = order;
      assert.deepEqual(order, {
        ...fields,
        ...times,
        id,
        items: asIn(order, items),
        status: 'pending',
        version: 1,
      });
      return reads(storage, [order]);
    },

    'orders-large: the largest order there can be keeps its total to the cent': async (storage) => {
      const { id: userId } = await addUser(storage, 1);
      const item = newItem({ quantity: 10_000, unitPriceCents: 99_999_999 });
      const fields = { userId, items: Array<typeof item>(100).fill(item), totalCents: 99_999_999_000_000 };
      const order = taken(await storage.orders.create(fields, at(0)));
      return [
        [() => storage.orders.find(order.id), { ...order, ...fields, items: asIn(order, fields.items) }],
      ];
    },

    'orders-user: an order needs a user who exists, and others have none': async (storage) => {
      const { orders } = storage;
      const { id } = await addUser(storage, 1);
      await storage.users.delete(id);
      return [...oddIds, id].flatMap((userId): Table => [
        [() => orders.create(newOrder(userId), at(0)), 'user-not-found'],
        [() => orders.list({ userId }, start), []],
        [() => orders.count({ userId }), 0],
        [() => orders.summarize([userId], 9), [[]]],
        [() => orders.count(everyOrder), 0],
      ]);
    },

    'orders-given: changes to the items that were given do not reach the store': async (storage) => {
      const { id: userId } = await addUser(storage, 1);
      const item = { ...newItem() };
      const given = [item];
      const order = taken(await storage.orders.create({ userId, items: given, totalCents: 5 }, at(0)));
      item.quantity = 9;
      given.length = 0;
      return reads(storage, [order]);
    },

    'orders-status: update moves the status while the condition holds, and only then': async (storage) => {
      const { orders } = storage;
      const { order } = await addUserWithOrder(storage);
      const { id } = order;
      const moved = { ...order, status: 'processing', updatedAt: at(2), version: 2 } as const;
      const completed = { ...moved, status: 'completed', version: 3 } as const;
      return [
        [() => orders.update(id, { status: 'processing' }, { ...pending, version: 1 }, at(2)), moved],
        [() => orders.update(id, { status: 'cancelled' }, pending, at(3)), 'changed'],
        [() => orders.update(id, { status: 'completed' }, { ...processing, version: 1 }, at(3)), 'changed'],
        [() => orders.delete(id, pending), 'changed'],
        [() => orders.delete(id, { ...processing, version: 1 }), 'changed'],
        ...reads(storage, [moved]),
        [() => orders.update(id, { status: 'completed' }, processing, at(1)), completed], // updated no earlier
      ];
    },

    'orders-items: update replaces all items, which get ids that the order never had': async (storage) => {
      const { order } = await addUserWithOrder(storage);
      const seen = idsOf(order.items);
      let last = order;
      for (let round = 1; round <= 3; round++) {
        const change = { items: items.slice(1), totalCents: 30 + round };
        last = taken(await storage.orders.update(order.id, change, pending, at(round)));
        const written = { items: asIn(last, change.items), totalCents: 30 + round };
        assert.deepEqual(last, { ...order, ...written, updatedAt: at(round), version: 1 + round });
        seen.push(...idsOf(last.items));
      }
      assert.equal(new Set(seen).size, 1 + 3 * 2, 'the ids of items are new');
      return reads(storage, [last]);
    },

    'orders-list: lists and counts ascend by id and filter by user': async (storage) => {
      const [a, b, c] = await addUserIds(storage);
      const all = await inTurn(12, (number) => addOrder(storage, number % 3 ? a : b, { totalCents: number }));
      const of = (user: string) => all.filter(({ userId }) => userId === user);
      const [ofA, ofB] = [a, b].map((user) => of(user).map(({ id, totalCents }) => ({ id, totalCents })));
      return [
        ...reads(storage, all),
        ...lists(storage.orders, of(a), { userId: a }),
        ...lists(storage.orders, [], { userId: c }),
        [() => storage.orders.summarize([b, c, a, b], 5), [ofB, [], ofA?.slice(0, 5), ofB]],
      ];
    },

    'orders-outlive-user: orders stay as they are when their user is deleted': async (storage) => {
      const { userId, order } = await addUserWithOrder(storage);
      const moved = { ...order, status: 'processing', updatedAt: at(1), version: 2 };
      return [
        [() => storage.users.delete(userId), 'deleted'],
        ...reads(storage, [order]),
        [() => storage.orders.update(order.id, { status: 'processing' }, pending, at(1)), moved],
      ];
    },

    'orders-race-status: of status changes from one state at once, exactly one wins': async (storage) => {
      const { id } = (await addUserWithOrder(storage)).order;
      const targets = ['processing', 'cancelled', 'processing', 'cancelled', 'processing'] as const;
      const moves = targets.map((status) => storage.orders.update(id, { status }, pending, at(1)));
      return reads(storage, [{ ...oneWinner(await Promise.all(moves), 'changed'), version: 2 }]);
    },

    'orders-race-items: items written at once are never mixed': async (storage) => {
      const { id } = (await addUserWithOrder(storage)).order;
      const written = await atOnce(8, async (writer) => {
        const items = Array.from({ length: writer + 1 }, () => newItem({ name: `${writer}` }));
        return taken(await storage.orders.update(id, { items, totalCents: writer + 1 }, pending, at(1)));
      });
      for (const { items, totalCents } of written) {
        assert.deepEqual([items.length, new Set(items.map(({ name }) => name)).size], [totalCents, 1]);
      }
      return reads(
        storage,
        written.filter(({ version }) => version === 9),
      );
    },
  }),
];
