/** The checks of an outbox: an event is stored with its write for each receiver, and each delivery is claimed by one caller, in order. */
import assert from 'node:assert/strict';
import type { Delivery, OutboxEvent, Receiver } from '../../model/webhook.js';
import type { WaitingDeliveries } from '../../ports/outbox.js';
import type { Stores } from '../../ports/storage.js';
import { storeChecks, type Table } from '../check.js';
import { at, idsOf, newUser, oddIds, start } from '../samples.js';

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

/** The ids of the deliveries of a receiver, the oldest first. */
async function idsIn({ outbox }: Parts, { id }: Receiver): Promise<readonly string[]> {
  return idsOf(await outbox.listDeliveries(id, start)).reverse();
}

async function settleAll(storage: Parts, receiver: Receiver, status: 'delivered' | 'failed'): Promise<void> {
  const outcome = { status, changedAt: at(3), answer: 'status 204' };
  await storage.outbox.settle(await idsIn(storage, receiver), outcome);
}

export const outboxChecks = [
  ...storeChecks(['outbox'], {
    'outbox-receivers: receivers are stored, changed and deleted, and a consumer exists once': async (
      storage,
    ) => {
      const { outbox } = storage;
      const webhook = await addReceiver(storage, { types: ['user.created'] });
      const consumer = await outbox.create({ consumer: 'queue', url: '' }, at(0));
      const secrets = [{ secret: 'whsec_eQ==' }, { secret: 'whsec_eA==', until: at(9) }];
      const change = { url: 'https://b.example.com/', secrets };
      return [
        [() => outbox.create({ consumer: 'queue', url: '' }, at(9)), consumer],
        [() => outbox.receivers(), [webhook, consumer]],
        [() => outbox.change(webhook.id, change), 'changed'],
        [() => outbox.receivers(), [{ ...webhook, ...change }, consumer]],
        [() => outbox.find(webhook.id), { ...webhook, ...change }],
        [() => outbox.change(webhook.id, (kept) => ({ secrets: kept.secrets?.slice(1) })), 'changed'],
        [() => outbox.find(webhook.id), { ...webhook, ...change, secrets: secrets.slice(1) }],
        ...oddIds.flatMap((id): Table => [
          [() => outbox.change(id, { status: 'active' }), 'not-found'],
          [() => outbox.change(id, () => ({ status: 'active' })), 'not-found'],
          [() => outbox.find(id), undefined],
          [() => outbox.delete(id, 9), 'not-found'],
          [() => outbox.redeliver(id, undefined, at(1), 9), 0],
          [() => outbox.hastenOne(webhook.id, id, at(1)), 'not-found'],
          [() => outbox.hastenOne(id, '1', at(1)), 'not-found'],
          [() => outbox.hasten(id, undefined, at(1), 9), { count: 0, last: undefined }],
          [() => outbox.countDeliveries(id, undefined, 9), { count: 0, last: undefined }],
          [() => outbox.listDeliveries(id, start), []],
        ]),
        [() => outbox.delete(webhook.id, 9), 'deleted'],
        [() => outbox.receivers(), [consumer]],
      ];
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
        const data = { id: '1', text: 'ü"%' };
        await publish(storage, 1);
        await publish(storage, 2, { type: 'user.deleted', data });
        await assert.rejects(publish(storage, 3, {}, () => Promise.reject(new Error('undone'))));
        const [second, first] = await outbox.listDeliveries(all.id, start);
        return [
          [() => [first?.eventId, second?.eventId, second?.data], ['1', '2', data]],
          [() => claimed(storage, others), ['2']],
          [() => outbox.countDeliveries(disabled.id, undefined, 9), { count: 0, last: undefined }],
        ];
      },

    'outbox-order: a delivery is claimed once, after those before it about its subject, until its lease ends':
      async (storage) => {
        const { outbox } = storage;
        const receiver = await addReceiver(storage);
        const subjects = ['user:1', 'user:1', 'user:2'];
        for (const [index, subject] of subjects.entries()) await publish(storage, index + 1, { subject });
        const [first = ''] = await idsIn(storage, receiver);
        const claimTwice = async () =>
          (await Promise.all([claimed(storage, receiver), claimed(storage, receiver)])).flat().sort();
        return [
          [() => outbox.receivers(at(2)), [receiver]],
          [() => claimed(storage, receiver, at(0)), []],
          [claimTwice, ['1', '3']],
          [async () => (await claimed(storage, receiver, at(30), 1)).length, 1], // the lease has ended
          [() => outbox.settle([first], { status: 'delivered' }), undefined],
          [() => outbox.settle([first], { status: 'failed' }), undefined], // which is late
          [async () => (await outbox.listDeliveries(receiver.id, start)).at(-1)?.status, 'delivered'],
          [() => claimed(storage, receiver), ['2']],
        ];
      },

    'outbox-again: failed deliveries, or one that is settled, become pending again, in parts': async (
      storage,
    ) => {
      const { outbox } = storage;
      const receiver = await addReceiver(storage);
      for (const number of [1, 2, 3]) await publish(storage, number);
      const last = (await idsIn(storage, receiver)).at(-1);
      return [
        [() => settleAll(storage, receiver, 'failed'), undefined],
        [() => outbox.redeliver(receiver.id, undefined, at(4), 2), 2],
        [() => claimed(storage, receiver, at(4)), ['1']], // the oldest first
        [() => outbox.redeliver(receiver.id, undefined, at(4), 2), 1],
        [() => settleAll(storage, receiver, 'delivered'), undefined],
        [() => outbox.redeliver(receiver.id, undefined, at(4), 9), 0],
        [() => outbox.redeliver(receiver.id, last, at(4), 9), 1],
        [() => outbox.redeliver(receiver.id, last, at(4), 9), 0],
      ];
    },

    'outbox-waiting: pending deliveries become due when asked, in order, unless claimed': async (storage) => {
      const { outbox } = storage;
      const receiver = await addReceiver(storage);
      const subjects = ['user:1', 'user:1', 'user:2', 'user:3'];
      for (const [index, subject] of subjects.entries()) await publish(storage, index + 1, { subject });
      const [first = '', second = '', third = ''] = await idsIn(storage, receiver);
      const later = { dueAt: at(50), answer: 'status 500' };
      const attempted = async () => {
        const { attempts, dueAt, answer } = Object(
          (await outbox.listDeliveries(receiver.id, start)).at(-1),
        ) as Delivery;
        return { attempts, dueAt, answer };
      };
      return [
        [() => claimed(storage, receiver), ['1', '3', '4']],
        [() => outbox.settle([first, third], { ...later, isAttempt: true }), undefined],
        [() => claimed(storage, receiver), []],
        [attempted, { attempts: 1, ...later }],
        [() => outbox.hastenOne(receiver.id, second, at(3)), 'hastened'],
        [() => claimed(storage, receiver, at(3)), ['1']], // for which the second waits
        [() => outbox.hasten(receiver.id, undefined, at(3), 3), { count: 3, last: third }],
        [() => outbox.hasten(receiver.id, third, at(3), 3), { count: 1, last: undefined }],
        [() => claimed(storage, receiver, at(3)), ['3']], // the first and the fourth are claimed
        [() => outbox.settle([first], { status: 'delivered', isAttempt: true }), undefined],
        [() => claimed(storage, receiver, at(3)), ['2']], // due with the end of the first
      ];
    },

    'outbox-disabled: nothing of a disabled receiver is claimed until it is active': async (storage) => {
      const { outbox } = storage;
      const receiver = await addReceiver(storage);
      await publish(storage, 1);
      await outbox.change(receiver.id, { status: 'disabled' });
      await publish(storage, 2);
      return [
        [() => outbox.receivers(at(9)), []],
        [() => claimed(storage, receiver, at(9)), []],
        [() => outbox.change(receiver.id, { status: 'active' }), 'changed'],
        [() => claimed(storage, receiver, at(9)), ['1']],
      ];
    },

    'outbox-parts: deliveries are counted, and deleted with their receiver, in parts': async (storage) => {
      const { outbox } = storage;
      const [one, other] = [await addReceiver(storage), await addReceiver(storage)];
      for (const number of [1, 2, 3]) await publish(storage, number, { time: at(number) });
      const [first = '', second = ''] = await idsIn(storage, one);
      const waiting = async () => {
        const counts = new Map<string, { count: number; oldest: string }>();
        let last: WaitingDeliveries | undefined;
        do {
          const counted = await outbox.countWaiting(last, 2);
          last = counted.at(-1);
          for (const { receiverId, count, oldest } of counted) {
            const before = counts.get(receiverId) ?? { count: 0, oldest };
            counts.set(receiverId, { ...before, count: before.count + count });
          }
        } while (last !== undefined);
        return [counts.get(one.id), counts.get(other.id)];
      };
      return [
        [async () => idsOf(await outbox.listDeliveries(one.id, { offset: 1, limit: 1 })), [second]],
        [() => outbox.countDeliveries(one.id, undefined, 2), { count: 2, last: second }],
        [() => outbox.countDeliveries(one.id, second, 2), { count: 1, last: undefined }],
        [() => outbox.settle([first], { status: 'delivered' }), undefined],
        [async () => idsOf(await outbox.listDeliveries(one.id, start, 'delivered')), [first]],
        [async () => idsOf(await outbox.listDeliveries(one.id, start, 'failed')), []],
        [
          async () =>
            idsOf(await outbox.listDeliveries(one.id, { offset: 0, limit: 1 }, 'pending', 'oldest first')),
          [second],
        ],
        [() => outbox.countDeliveries(one.id, undefined, 9, 'pending'), { count: 2, last: undefined }],
        [
          waiting,
          [
            { count: 2, oldest: at(2) },
            { count: 3, oldest: at(1) },
          ],
        ],
        [() => outbox.delete(one.id, 2), 'more'],
        [() => outbox.find(one.id), { ...one, status: 'disabled' }],
        [() => outbox.delete(one.id, 2), 'deleted'],
        [() => outbox.find(one.id), undefined],
        [() => outbox.countDeliveries(other.id, undefined, 9), { count: 3, last: undefined }],
      ];
    },

    'outbox-expiry: deleteExpired deletes what is not pending, of events before a time': async (storage) => {
      const { outbox } = storage;
      const receiver = await addReceiver(storage);
      for (const number of [1, 2, 3]) await publish(storage, number, { time: at(number) });
      const [, second = ''] = await idsIn(storage, receiver);
      return [
        [() => outbox.deleteExpired(at(3), 9), 0],
        [() => outbox.settle([second], { status: 'failed' }), undefined],
        [() => outbox.deleteExpired(at(3), 1), 1], // a pending one is not in the way
        [() => settleAll(storage, receiver, 'delivered'), undefined],
        [() => outbox.deleteExpired(at(3), 1), 1],
        [() => outbox.deleteExpired(at(3), 9), 0],
        [() => outbox.countDeliveries(receiver.id, undefined, 9), { count: 1, last: undefined }],
        [() => publish(storage, 4, { time: at(4) }), undefined],
        [() => outbox.deleteExpired(at(9), 9), 1], // the other is pending
        [() => outbox.change(receiver.id, { status: 'disabled' }), 'changed'],
        [() => outbox.deleteExpired(at(9), 9), 1], // nothing delivers it
      ];
    },
  }),
];
