/** The checks of an order store with several callers who write at once. */
import assert from 'node:assert/strict';
import { addOrder, addUser, at, storageCheck, newItem } from './storage-check.js';

const pending = { status: 'pending', version: undefined } as const;

export const orderRaceChecks = [
  storageCheck(
    'MUST',
    'orders-race-status',
    'of status changes from one state at once, exactly one wins',
    async (storage) => {
      const { id: userId } = await addUser(storage, 1);
      const { id } = await addOrder(storage, userId);
      const targets = [
        'processing',
        'cancelled',
        'processing',
        'cancelled',
        'processing',
        'processing',
      ] as const;
      const outcomes = await Promise.all(
        targets.map((status) => storage.orders.update(id, { status }, pending, at(1))),
      );
      const winners = outcomes.filter((outcome) => typeof outcome !== 'string');
      assert.equal(winners.length, 1);
      assert.equal(outcomes.filter((outcome) => outcome === 'changed').length, targets.length - 1);
      assert.deepEqual(await storage.orders.find(id), winners[0]);
      assert.equal(winners[0]?.version, 2);
    },
  ),

  storageCheck('MUST', 'orders-race-items', 'items written at once are never mixed', async (storage) => {
    const { id: userId } = await addUser(storage, 1);
    const { id } = await addOrder(storage, userId);
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, writer) => {
        const items = Array.from({ length: writer + 1 }, () =>
          newItem({ name: `${writer}`, unitPriceCents: 1 }),
        );
        return storage.orders.update(id, { items, totalCents: writer + 1 }, pending, at(1));
      }),
    );
    const read = await storage.orders.find(id);
    assert.ok(
      outcomes.every((outcome) => typeof outcome !== 'string'),
      'one was refused',
    );
    assert.equal(read?.version, 9);
    assert.equal(read.items.length, read.totalCents);
    assert.equal(new Set(read.items.map(({ name }) => name)).size, 1);
  }),
];
