/** The checks of an outbox: an event is stored with its write for each receiver, and each delivery is claimed by one caller, in order. */
import assert from 'node:assert/strict';
import type { OutboxEvent, Receiver } from '../../model/webhook.js';
import type { Stores } from '../../ports/storage.js';
import { at, newUser, oddIds, start } from '../samples.js';
import { storeChecks } from '../check.js';

type Parts = Pick<Stores, 'outbox' | 'writes' | 'users'>;

const url = 'https://hooks.example.com/';
const lease = at(30);

async function addReceiver({ outbox }: Pick<Stores, 'outbox'>, fields: Partial<Receiver> = {}) {
  return await outbox.create(
    { consumer: undefined, url, secrets: [{ secret: 'whsec_eA==' }], ...fields },
    at(0),
  );
}

/** Writes a user with an event, whose id is the number. */
async function publish({ writes }: Parts, number: number, fields: Partial<OutboxEvent> = {}): Promise<void> {
  const event: OutboxEvent = {
    ...{ eventId: String(number), type: 'user.created', subject: 'user:1', time: at(1), data: { id: '1' } },
    ...fields,
  };
  await writes.write('users', 'create', [newUser(number), at(1)], () => ({ entries: [], event }));
}

async function claimed(
  { outbox }: Parts,
  { id }: Receiver,
  now = at(2),
  limit = 9,
): Promise<readonly string[]> {
  return (await outbox.claim(id, now, lease, limit)).map(({ eventId }) => eventId);
}

async function settleAll({ outbox }: Parts, { id }: Receiver, status: 'delivered' | 'failed'): Promise<void> {
  for (const { id: delivery, attempts } of await outbox.listDeliveries(id, start)) {
    await outbox.settle([delivery], {
      status,
      attempts,
      changedAt: at(3),
      dueAt: at(3),
      answer: 'status 204',
    });
  }
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
      assert.deepEqual(await outbox.receivers(at(9)), []);
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
        const { outbox, writes } = storage;
        const all = await addReceiver(storage);
        const others = await addReceiver(storage, { types: ['user.deleted', 'post.created'] });
        const disabled = await addReceiver(storage);
        await outbox.change(disabled.id, { status: 'disabled' }, at(1));
        await publish(storage, 1);
        await publish(storage, 2, { type: 'user.deleted', data: { id: '1', text: 'ü"%' } });
        const fault = new Error('undone');
        const undo = () => Promise.reject(fault);
        const event = {
          eventId: '3',
          type: 'user.created',
          subject: 'user:3',
          time: at(1),
          data: {},
        } as const;
        const undone = writes.write(
          'users',
          'create',
          [newUser(3), at(1)],
          () => ({ entries: [], event }),
          undo,
        );
        await assert.rejects(undone, fault);
        const [second, first] = await outbox.listDeliveries(all.id, start);
        assert.deepEqual([first?.eventId, second?.data], ['1', { id: '1', text: 'ü"%' }]);
        assert.deepEqual(await claimed(storage, others), ['2']);
        assert.equal(await outbox.countDeliveries(disabled.id), 0);
        assert.equal(await outbox.countDeliveries(all.id), 2);
        assert.equal(await outbox.countDeliveries(), 3);
      },

    'outbox-order: a delivery is claimed once, after those before it about its subject, until its lease ends':
      async (storage) => {
        const { outbox } = storage;
        const receiver = await addReceiver(storage);
        await publish(storage, 1);
        await publish(storage, 2);
        await publish(storage, 3, { subject: 'user:2' });
        assert.deepEqual(await outbox.receivers(at(2)), [receiver]);
        assert.deepEqual(await claimed(storage, receiver, at(0)), []);
        const both = await Promise.all([claimed(storage, receiver), claimed(storage, receiver)]);
        assert.deepEqual(both.flat().toSorted(), ['1', '3']);
        assert.deepEqual((await claimed(storage, receiver, lease, 1)).length, 1, 'the lease has ended');
        const first = (await outbox.listDeliveries(receiver.id, start)).at(-1);
        const outcome = { attempts: 0, changedAt: at(3), dueAt: at(3), answer: undefined };
        await outbox.settle([first?.id ?? ''], { ...outcome, status: 'delivered' });
        await outbox.settle([first?.id ?? ''], { ...outcome, status: 'failed' });
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
        const [{ id } = { id: '' }] = await outbox.listDeliveries(receiver.id, start);
        assert.equal(await outbox.redeliver(receiver.id, id, at(4)), 1);
        assert.equal(await outbox.redeliver(receiver.id, id, at(4)), 0);
      },

    'outbox-expiry: deleteExpired deletes what is not pending, of events before a time': async (storage) => {
      const { outbox } = storage;
      const receiver = await addReceiver(storage);
      for (const number of [1, 2, 3]) await publish(storage, number, { time: at(number) });
      assert.equal(await outbox.deleteExpired(at(3), 9), 0);
      await settleAll(storage, receiver, 'delivered');
      assert.equal(await outbox.deleteExpired(at(3), 1), 1);
      assert.equal(await outbox.deleteExpired(at(3), 9), 1);
      assert.equal(await outbox.countDeliveries(receiver.id), 1);
    },
  }),
];
