/** The checks of an outbox: an event is stored with its write for each receiver, and each delivery is claimed by one caller, in order. */
import assert from 'node:assert/strict';
import type { OutboxEvent, Receiver } from '../../model/webhook.js';
import type { Stores } from '../../ports/storage.js';
import { at, newUser, oddIds, start } from '../samples.js';
import { storeChecks } from '../check.js';

type Parts = Pick<Stores, 'outbox' | 'writes' | 'users'>;

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
  { writes }: Parts,
  number: number,
  fields: Partial<OutboxEvent> = {},
  undo?: () => Promise<void>,
) {
  const event: OutboxEvent = {
    ...{ eventId: String(number), type: 'user.created', subject: 'user:1', time: at(1), data: { id: '1' } },
    ...fields,
  };
  await writes.write('users', 'create', [newUser(number), at(1)], () => ({ entries: [], event }), undo);
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
      assert.equal(await outbox.change(webhook.id, { secrets }, at(1)), 'changed');
      assert.deepEqual((await outbox.receivers())[0], { ...webhook, secrets });
      for (const id of oddIds) {
        assert.equal(await outbox.change(id, { status: 'active' }, at(1)), 'not-found');
        assert.equal(await outbox.delete(id), 'not-found');
        assert.equal(await outbox.redeliver(id, undefined, at(1)), 0);
        assert.deepEqual(await outbox.listDeliveries(id, start), []);
      }
      assert.equal(await outbox.delete(webhook.id), 'deleted');
      assert.deepEqual(await outbox.receivers(), [consumer]);
    },
  }),

  ...storeChecks(['outbox', 'writes', 'users'], {
    'outbox-events: an event is stored in the step of its write, for each active receiver that wants its type':
      async (storage) => {
        const { outbox } = storage;
        const all = await addReceiver(storage);
        const others = await addReceiver(storage, { types: ['user.deleted', 'post.created'] });
        const disabled = await addReceiver(storage);
        await outbox.change(disabled.id, { status: 'disabled' }, at(1));
        await publish(storage, 1);
        await publish(storage, 2, { type: 'user.deleted', data: { id: '1', text: 'ü"%' } });
        await assert.rejects(publish(storage, 3, {}, () => Promise.reject(new Error('undone'))));
        const [second, first] = await outbox.listDeliveries(all.id, start);
        assert.deepEqual([first?.eventId, second?.data], ['1', { id: '1', text: 'ü"%' }]);
        assert.deepEqual(await claimed(storage, others), ['2']);
        assert.equal(await outbox.countDeliveries(disabled.id), 0);
        assert.equal(await outbox.countDeliveries(), 3);
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

    'outbox-again: failed deliveries, or one, become pending again, and those of a disabled receiver fail':
      async (storage) => {
        const { outbox } = storage;
        const receiver = await addReceiver(storage);
        for (const number of [1, 2]) await publish(storage, number);
        await outbox.change(receiver.id, { status: 'disabled' }, at(2));
        assert.equal(await outbox.countDeliveries(), 0);
        assert.equal(await outbox.redeliver(receiver.id, undefined, at(4)), 2);
        assert.deepEqual(await claimed(storage, receiver, at(4)), ['1']);
        await settleAll(storage, receiver, 'delivered');
        assert.equal(await outbox.redeliver(receiver.id, undefined, at(4)), 0);
        const id = (await outbox.listDeliveries(receiver.id, start))[0]?.id;
        assert.equal(await outbox.redeliver(receiver.id, id, at(4)), 1);
        assert.equal(await outbox.redeliver(receiver.id, id, at(4)), 0);
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
      assert.equal(await outbox.countDeliveries(receiver.id), 1);
    },
  }),
];
