/** The checks of an outbox: an event is stored with its write for each receiver, and each delivery is claimed by one caller, in order. */
import assert from 'node:assert/strict';
import type { OutboxEvent, Receiver } from '../../model/webhook.js';
import type { Stores } from '../../ports/storage.js';
import { at, newUser, oddIds, start } from '../samples.js';
import { storeChecks } from '../check.js';

type Parts = Pick<Stores, 'outbox' | 'transaction' | 'users'>;

async function addReceiver({ outbox }: Pick<Stores, 'outbox'>, fields: Partial<Receiver> = {}) {
  const receiver = {
    consumer: undefined,
    url: 'https://hooks.example.com/',
    secrets: [{ secret: 'whsec_eA==' }],
  };
  return await outbox.create({ ...receiver, ...fields }, at(0));
}

/** Writes a user with an event, whose id is the number. */
async function publish(
  { transaction }: Parts,
  number: number,
  fields: Partial<OutboxEvent> = {},
  undo?: () => Promise<void>,
) {
  const event: OutboxEvent = {
    ...{ eventId: String(number), type: 'user.created', subject: 'user:1', time: at(1), data: { id: '1' } },
    ...fields,
  };
  await transaction(async (tx) => {
    await tx.users.create(newUser(number), at(1));
    await tx.outbox.publish(event);
    await undo?.();
  });
}

/** Claims for half a minute. @returns the ids of the events */
async function claimed(
  { outbox }: Parts,
  { id }: Receiver,
  now = at(2),
  limit = 9,
): Promise<readonly string[]> {
  return (await outbox.claim(id, now, at(30), limit)).map(({ eventId }) => eventId);
}

async function settleAll({ outbox }: Parts, { id }: Receiver, status: 'delivered' | 'failed'): Promise<void> {
  const ids = (await outbox.listDeliveries(id, start)).map((delivery) => delivery.id);
  await outbox.settle(ids, { status, changedAt: at(3), answer: 'status 204' });
}

export const outboxChecks = [
  ...storeChecks(['outbox'], {
    'outbox-receivers: receivers are stored, changed and deleted, and a consumer exists once': async (
      storage,
    ) => {
      const { outbox } = storage;
      const webhook = await addReceiver(storage, { types: ['user.created'] });
      const consumer = await outbox.create({ consumer: 'queue', url: '' }, at(0));
      assert.deepEqual(await outbox.create({ consumer: 'queue', url: '' }, at(9)), consumer);
      assert.deepEqual(await outbox.receivers(), [webhook, consumer]);
      const secrets = [{ secret: 'whsec_eQ==' }, { secret: 'whsec_eA==', until: at(9) }];
      assert.equal(await outbox.change(webhook.id, { url: 'https://b.example.com/', secrets }), 'changed');
      const changed = { ...webhook, url: 'https://b.example.com/', secrets };
      assert.deepEqual((await outbox.receivers())[0], changed);
      assert.deepEqual(await outbox.find(webhook.id), changed);
      for (const id of oddIds) {
        assert.equal(await outbox.change(id, { status: 'active' }), 'not-found');
        assert.equal(await outbox.find(id), undefined);
        assert.equal(await outbox.delete(id, 9), 'not-found');
        assert.equal(await outbox.redeliver(id, undefined, at(1), 9), 0);
        assert.equal(await outbox.hastenOne(webhook.id, id, at(1)), 'not-found');
        assert.equal(await outbox.hastenOne(id, '1', at(1)), 'not-found');
        assert.equal((await outbox.hasten(id, undefined, at(1), 9)).count, 0);
        assert.equal((await outbox.countDeliveries(id, undefined, 9)).count, 0);
        assert.deepEqual(await outbox.listDeliveries(id, start), []);
      }
      assert.equal(await outbox.delete(webhook.id, 9), 'deleted');
      assert.deepEqual(await outbox.receivers(), [consumer]);
    },
  }),

  ...storeChecks(['outbox', 'transaction', 'users'], {
    'outbox-events: an event is stored in the step of its write, for each active receiver that wants its type':
      async (storage) => {
        const { outbox } = storage;
        const all = await addReceiver(storage);
        const others = await addReceiver(storage, { types: ['user.deleted', 'post.created'] });
        const disabled = await addReceiver(storage);
        await outbox.change(disabled.id, { status: 'disabled' });
        await publish(storage, 1);
        await publish(storage, 2, { type: 'user.deleted', data: { id: '1', text: 'ü"%' } });
        await assert.rejects(publish(storage, 3, {}, () => Promise.reject(new Error('undone'))));
        const [second, first] = await outbox.listDeliveries(all.id, start);
        assert.deepEqual([first?.eventId, second?.data], ['1', { id: '1', text: 'ü"%' }]);
        assert.deepEqual(await claimed(storage, others), ['2']);
        assert.equal((await outbox.countDeliveries(disabled.id, undefined, 9)).count, 0);
      },

    'outbox-order: a delivery is claimed once, after those before it about its subject, until its lease ends':
      async (storage) => {
        const { outbox } = storage;
        const receiver = await addReceiver(storage);
        for (const [number, subject] of [
          [1, 'user:1'],
          [2, 'user:1'],
          [3, 'user:2'],
        ] as const)
          await publish(storage, number, { subject });
        assert.deepEqual(await outbox.receivers(at(2)), [receiver]);
        assert.deepEqual(await claimed(storage, receiver, at(0)), []);
        const both = await Promise.all([claimed(storage, receiver), claimed(storage, receiver)]);
        assert.deepEqual(both.flat().toSorted(), ['1', '3']);
        assert.equal((await claimed(storage, receiver, at(30), 1)).length, 1, 'the lease has ended');
        const first = (await outbox.listDeliveries(receiver.id, start)).at(-1)?.id ?? '';
        for (const status of ['delivered', 'failed'] as const) await outbox.settle([first], { status });
        assert.equal((await outbox.listDeliveries(receiver.id, start)).at(-1)?.status, 'delivered');
        assert.deepEqual(await claimed(storage, receiver), ['2']);
      },

    'outbox-again: failed deliveries, or one that is settled, become pending again, a part at a time': async (
      storage,
    ) => {
      const { outbox } = storage;
      const receiver = await addReceiver(storage);
      for (const number of [1, 2, 3]) await publish(storage, number);
      await settleAll(storage, receiver, 'failed');
      assert.equal(await outbox.redeliver(receiver.id, undefined, at(4), 2), 2);
      assert.deepEqual(await claimed(storage, receiver, at(4)), ['1'], 'the oldest first');
      assert.equal(await outbox.redeliver(receiver.id, undefined, at(4), 2), 1);
      await settleAll(storage, receiver, 'delivered');
      assert.equal(await outbox.redeliver(receiver.id, undefined, at(4), 9), 0);
      const id = (await outbox.listDeliveries(receiver.id, start))[0]?.id;
      assert.equal(await outbox.redeliver(receiver.id, id, at(4), 9), 1);
      assert.equal(await outbox.redeliver(receiver.id, id, at(4), 9), 0);
    },

    'outbox-waiting: pending deliveries become due when asked, in order, unless they are claimed': async (
      storage,
    ) => {
      const { outbox } = storage;
      const receiver = await addReceiver(storage);
      const subjects = ['user:1', 'user:1', 'user:2', 'user:3'];
      for (const [index, subject] of subjects.entries()) await publish(storage, index + 1, { subject });
      const ids = (await outbox.listDeliveries(receiver.id, start)).map(({ id }) => id).reverse();
      const [first = '', second = '', third = ''] = ids;
      assert.deepEqual(await claimed(storage, receiver), ['1', '3', '4']);
      await outbox.settle([first, third], { dueAt: at(50), answer: 'status 500', isAttempt: true });
      assert.deepEqual(await claimed(storage, receiver), []);
      const [, , , again] = await outbox.listDeliveries(receiver.id, start);
      assert.deepEqual([again?.attempts, again?.dueAt, again?.answer], [1, at(50), 'status 500']);
      assert.equal(await outbox.hastenOne(receiver.id, second, at(3)), 'hastened');
      assert.deepEqual(await claimed(storage, receiver, at(3)), ['1'], 'the second waits for it');
      let step = await outbox.hasten(receiver.id, undefined, at(3), 3);
      assert.deepEqual(step, { count: 3, last: third });
      step = await outbox.hasten(receiver.id, step.last, at(3), 3);
      assert.deepEqual(step, { count: 1, last: undefined });
      assert.deepEqual(
        await claimed(storage, receiver, at(3)),
        ['3'],
        'the first and the fourth are claimed',
      );
      await outbox.settle([first], { status: 'delivered', isAttempt: true });
      assert.deepEqual(await claimed(storage, receiver, at(3)), ['2'], 'due with the end of the first');
    },

    'outbox-disabled: nothing of a disabled receiver is claimed until it is active': async (storage) => {
      const { outbox } = storage;
      const receiver = await addReceiver(storage);
      await publish(storage, 1);
      await outbox.change(receiver.id, { status: 'disabled' });
      await publish(storage, 2);
      assert.deepEqual(await outbox.receivers(at(9)), []);
      assert.deepEqual(await claimed(storage, receiver, at(9)), []);
      await outbox.change(receiver.id, { status: 'active' });
      assert.deepEqual(await claimed(storage, receiver, at(9)), ['1']);
    },

    'outbox-parts: deliveries are counted, and deleted with their receiver, a part at a time': async (
      storage,
    ) => {
      const { outbox } = storage;
      const one = await addReceiver(storage);
      const other = await addReceiver(storage);
      for (const number of [1, 2, 3]) await publish(storage, number, { time: at(number) });
      const ids = (await outbox.listDeliveries(one.id, start)).map(({ id }) => id).reverse();
      assert.deepEqual(
        await outbox.listDeliveries(one.id, { offset: 1, limit: 1 }).then(([row]) => row?.id),
        ids[1],
      );
      assert.deepEqual(await outbox.countDeliveries(one.id, undefined, 2), { count: 2, last: ids[1] });
      assert.deepEqual(await outbox.countDeliveries(one.id, ids[1], 2), { count: 1, last: undefined });
      await outbox.settle([ids[0] ?? ''], { status: 'delivered' });
      const counts = new Map<string, { count: number; oldest: string }>();
      for (let last; ;) {
        const counted = await outbox.countWaiting(last, 2);
        last = counted.at(-1);
        if (last === undefined) break;
        for (const { receiverId, count, oldest } of counted) {
          const before = counts.get(receiverId) ?? { count: 0, oldest };
          counts.set(receiverId, { ...before, count: before.count + count });
        }
      }
      assert.deepEqual(counts.get(one.id), { count: 2, oldest: at(2) });
      assert.deepEqual(counts.get(other.id), { count: 3, oldest: at(1) });
      assert.equal(await outbox.delete(one.id, 2), 'more');
      assert.equal((await outbox.find(one.id))?.status, 'disabled');
      assert.equal(await outbox.delete(one.id, 2), 'deleted');
      assert.equal(await outbox.find(one.id), undefined);
      assert.equal((await outbox.countDeliveries(other.id, undefined, 9)).count, 3);
    },

    'outbox-expiry: deleteExpired deletes what is not pending, of events before a time': async (storage) => {
      const { outbox } = storage;
      const receiver = await addReceiver(storage);
      for (const number of [1, 2, 3]) await publish(storage, number, { time: at(number) });
      assert.equal(await outbox.deleteExpired(at(3), 9), 0);
      const second = (await outbox.listDeliveries(receiver.id, start))[1]?.id ?? '';
      await outbox.settle([second], { status: 'failed' });
      assert.equal(await outbox.deleteExpired(at(3), 1), 1, 'a pending one is not in the way');
      await settleAll(storage, receiver, 'delivered');
      assert.equal(await outbox.deleteExpired(at(3), 1), 1);
      assert.equal(await outbox.deleteExpired(at(3), 9), 0);
      assert.equal((await outbox.countDeliveries(receiver.id, undefined, 9)).count, 1);
      await publish(storage, 4, { time: at(4) });
      assert.equal(await outbox.deleteExpired(at(9), 9), 1, 'the other is pending');
      await outbox.change(receiver.id, { status: 'disabled' });
      assert.equal(await outbox.deleteExpired(at(9), 9), 1, 'nothing delivers it');
    },
  }),
];
