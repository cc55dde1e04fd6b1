/** The checks of an order store. */
import assert from 'node:assert/strict';
import { parseId } from '../../model/id.js';
import { everyOrder } from '../../ports/order-store.js';
import { storeChecks } from '../check.js';
import {
  addOrder,
  addUser,
  addUserIds,
  addUserWithOrder,
  at,
  atOnce,
  idsOf,
  inTurn,
  listsOnly,
  newItem,
  newOrder,
  oddIds,
  pending,
  start,
  taken,
  winners,
} from '../samples.js';

export const orderChecks = storeChecks(['orders', 'users'], {
  'orders-create: create gives back a pending order with ids for itself and its items': async (storage) => {
    const { id: userId } = await addUser(storage, 1);
    const items = [
      newItem({ productId: '7', name: 'Garden shears 💡', quantity: 10_000, unitPriceCents: 1_000_000_00 }),
      newItem({ name: 'Twine', quantity: 3, unitPriceCents: 10 }),
      newItem({ name: 'Twine', quantity: 3, unitPriceCents: 0 }),
    ];
    const totalCents = 10_000 * 1_000_000_00 + 30;
    const order = taken(await storage.orders.create({ userId, items, totalCents }, at(4)));
    const expected = {
      id: order.id,
      userId,
      status: 'pending',
      items: items.map((item, index) => ({ ...item, id: order.items[index]?.id })),
      totalCents,
      createdAt: at(4),
      updatedAt: at(4),
      version: 1,
    };
    assert.deepEqual(order, expected);
    assert.deepEqual(await storage.orders.find(order.id), expected);
    for (const id of [order.id, ...idsOf(order.items)]) assert.equal(parseId(id), id);
    assert.equal(new Set(idsOf(order.items)).size, 3);
  },

  'orders-large: the largest order there can be keeps its total to the cent': async (storage) => {
    const { id: userId } = await addUser(storage, 1);
    const item = newItem({ quantity: 10_000, unitPriceCents: 99_999_999 });
    const items = Array.from({ length: 100 }, () => item);
    const totalCents = 100 * 10_000 * 99_999_999;
    const order = taken(await storage.orders.create({ userId, items, totalCents }, at(0)));
    const read = await storage.orders.find(order.id);
    assert.equal(read?.totalCents, 99_999_999_000_000);
    assert.deepEqual(idsOf(read.items), idsOf(order.items), 'items keep their order');
  },

  'orders-user: an order needs a user who exists': async (storage) => {
    const { id } = await addUser(storage, 1);
    await storage.users.delete(id);
    for (const userId of [...oddIds, id]) {
      assert.equal(await storage.orders.create(newOrder(userId), at(0)), 'user-not-found');
    }
    assert.equal(await storage.orders.count(everyOrder), 0);
  },

  'orders-odd-ids: a text that is not an id is not found, and is no user of an order': async (storage) => {
    await addUserWithOrder(storage);
    for (const odd of oddIds) {
      assert.equal(await storage.orders.find(odd), undefined);
      assert.equal(await storage.orders.update(odd, { status: 'processing' }, pending, at(1)), 'not-found');
      assert.equal(await storage.orders.delete(odd, pending), 'not-found');
      assert.deepEqual(await storage.orders.list({ userId: odd }, start), []);
      assert.equal(await storage.orders.count({ userId: odd }), 0);
    }
    assert.deepEqual(
      await storage.orders.summarize(oddIds, 9),
      oddIds.map(() => []),
    );
  },

  'orders-status: update moves the status while the condition holds, and only then': async (storage) => {
    const { order } = await addUserWithOrder(storage);
    const { orders } = storage;
    const exactly = { status: 'pending', version: 1 } as const;
    const moved = await orders.update(order.id, { status: 'processing' }, exactly, at(2));
    assert.deepEqual(moved, { ...order, status: 'processing', updatedAt: at(2), version: 2 });
    assert.equal(await orders.update(order.id, { status: 'cancelled' }, pending, at(3)), 'changed');
    const staleVersion = { status: 'processing', version: 1 } as const;
    assert.equal(await orders.update(order.id, { status: 'completed' }, staleVersion, at(3)), 'changed');
    assert.equal(await orders.delete(order.id, pending), 'changed');
    assert.equal(await orders.delete(order.id, staleVersion), 'changed');
    assert.deepEqual(await orders.find(order.id), moved);
    const processing = { status: 'processing', version: undefined } as const;
    const back = taken(await orders.update(order.id, { status: 'completed' }, processing, at(1)));
    assert.equal(back.updatedAt, at(2), 'updatedAt never goes back');
  },

  'orders-items: update replaces all items, which get ids that the order never had': async (storage) => {
    const { order } = await addUserWithOrder(storage);
    const seen = new Set(idsOf(order.items));
    for (let round = 1; round <= 3; round++) {
      const items = [
        newItem({ name: `A${round}`, quantity: 2, unitPriceCents: 5 }),
        newItem({ productId: '1', name: `B${round}`, unitPriceCents: 7 }),
      ];
      const change = { items, totalCents: 17 };
      const changed = taken(await storage.orders.update(order.id, change, pending, at(round)));
      assert.deepEqual(changed, {
        ...order,
        items: items.map((item, index) => ({ ...item, id: changed.items[index]?.id })),
        totalCents: 17,
        updatedAt: at(round),
        version: 1 + round,
      });
      assert.deepEqual(await storage.orders.find(order.id), changed);
      for (const id of idsOf(changed.items)) {
        assert.ok(!seen.has(id), `item id ${id} is new`);
        seen.add(id);
      }
    }
  },

  'orders-list: lists and counts ascend by id and filter by user': async (storage) => {
    const [a, b, c] = await addUserIds(storage);
    const orders = await inTurn(12, (number) => addOrder(storage, number % 3 ? a : b, number));
    for (const userId of [undefined, a, b, c]) {
      const expected = orders.filter((order) => userId === undefined || order.userId === userId);
      await listsOnly(
        expected,
        (slice) => storage.orders.list({ userId }, slice),
        () => storage.orders.count({ userId }),
      );
    }
    const brief = (userId: string) =>
      orders.filter((order) => order.userId === userId).map(({ id, totalCents }) => ({ id, totalCents }));
    const summaries = await storage.orders.summarize([b, c, a, b], 5);
    assert.deepEqual(summaries, [brief(b), [], brief(a).slice(0, 5), brief(b)]);
  },

  'orders-delete: a deleted order is gone from everything, and its id is not used again': async (storage) => {
    const { userId, order: kept } = await addUserWithOrder(storage);
    const gone = await addOrder(storage, userId);
    assert.equal(await storage.orders.delete(gone.id, { status: 'pending', version: 1 }), 'deleted');
    assert.equal(await storage.orders.delete(gone.id, pending), 'not-found');
    assert.equal(await storage.orders.update(gone.id, { status: 'processing' }, pending, at(1)), 'not-found');
    assert.equal(await storage.orders.find(gone.id), undefined);
    assert.deepEqual(await storage.orders.list({ userId }, start), [kept]);
    assert.deepEqual(idsOf((await storage.orders.summarize([userId], 9))[0] ?? []), [kept.id]);
    assert.equal(await storage.orders.count(everyOrder), 1);
    const next = await addOrder(storage, userId);
    assert.ok(BigInt(next.id) > BigInt(gone.id), 'ids grow');
  },

  'orders-outlive-user: orders stay as they are when their user is deleted': async (storage) => {
    const { userId, order } = await addUserWithOrder(storage);
    await storage.users.delete(userId);
    assert.deepEqual(await storage.orders.find(order.id), order);
    assert.deepEqual(await storage.orders.list({ userId }, start), [order]);
    taken(await storage.orders.update(order.id, { status: 'processing' }, pending, at(1)));
  },

  'orders-immutable: changes to a returned order or its items do not reach the store': async (storage) => {
    const { id: userId } = await addUser(storage, 1);
    const item = { ...newItem({ unitPriceCents: 5 }) };
    const items = [item];
    const order = taken(await storage.orders.create({ userId, items, totalCents: 5 }, at(0)));
    const before = structuredClone(order);
    item.quantity = 9;
    items.length = 0;
    Reflect.set(order, 'status', 'completed');
    Reflect.set(order.items, 0, {});
    const read = await storage.orders.find(order.id);
    Reflect.set(read?.items[0] ?? {}, 'unitPriceCents', 0);
    assert.deepEqual(await storage.orders.find(order.id), before);
  },

  'orders-race-status: of status changes from one state at once, exactly one wins': async (storage) => {
    const { id } = (await addUserWithOrder(storage)).order;
    const targets = ['processing', 'cancelled', 'processing', 'cancelled', 'processing'] as const;
    const outcomes = await Promise.all(
      targets.map((status) => storage.orders.update(id, { status }, pending, at(1))),
    );
    const [winner, ...others] = winners(outcomes);
    assert.deepEqual(others, []);
    assert.equal(outcomes.filter((outcome) => outcome === 'changed').length, targets.length - 1);
    assert.deepEqual(await storage.orders.find(id), winner);
    assert.equal(winner?.version, 2);
  },

  'orders-race-items: items written at once are never mixed': async (storage) => {
    const { id } = (await addUserWithOrder(storage)).order;
    const outcomes = await atOnce(8, (writer) => {
      const item = newItem({ name: `${writer}`, unitPriceCents: 1 });
      const items = Array.from({ length: writer + 1 }, () => item);
      return storage.orders.update(id, { items, totalCents: writer + 1 }, pending, at(1));
    });
    const read = await storage.orders.find(id);
    assert.equal(winners(outcomes).length, 8, 'one was refused');
    assert.equal(read?.version, 9);
    assert.equal(read.items.length, read.totalCents);
    assert.equal(new Set(read.items.map(({ name }) => name)).size, 1);
  },
});
