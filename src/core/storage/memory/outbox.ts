/** The outbox of the memory storage. */
import type { Delivery, OutboxEvent, Receiver } from '../../model/webhook.js';
import type { OutboxStore } from '../../ports/outbox.js';
import type { Timestamp } from '../../model/timestamp.js';
import type { AtOnce, MemoryTables } from './tables.js';

/** Stores an event for each receiver that wants it. */
export function addEvent({ receivers, deliveries }: MemoryTables, event: OutboxEvent): void {
  const { time } = event;
  const state = { status: 'pending', attempts: 0, changedAt: time, dueAt: time, answer: undefined } as const;
  for (const { id: receiverId, types, status } of receivers.all()) {
    if (status !== 'active' || types?.includes(event.type) === false) continue;
    deliveries.add(Object.freeze<Delivery>({ id: deliveries.nextId(), receiverId, ...event, ...state }));
  }
}

export function memoryOutbox(tables: MemoryTables): AtOnce<OutboxStore> {
  const { receivers, deliveries, deliveriesTo, deliveriesOf } = tables;
  const rowsOf = (id: string) => deliveriesTo.get(id)?.all() ?? [];
  const pendingOf = (id: string) => deliveriesOf.get(`pending ${id}`)?.all() ?? [];
  const isDue = (id: string, at: Timestamp) =>
    deliveriesOf.get(`pending ${id}`)?.slice({ offset: 0, limit: 1 }, ({ dueAt }) => dueAt <= at).length ===
    1;
  const change = (row: Delivery, fields: Partial<Delivery>) => {
    deliveries.replace(Object.freeze({ ...row, ...fields }));
  };

  return {
    receivers: (dueAt) => receivers.all().filter(({ id }) => dueAt === undefined || isDue(id, dueAt)),

    create(receiver, now) {
      const known = receivers.all().find(({ consumer }) => consumer === (receiver.consumer ?? ''));
      if (known !== undefined) return known;
      const id = receivers.nextId();
      const stored = Object.freeze<Receiver>({ ...receiver, id, status: 'active', createdAt: now });
      receivers.add(stored);
      return stored;
    },

    change(id, fields, now) {
      const receiver = receivers.get(id);
      if (receiver === undefined) return 'not-found';
      receivers.replace(Object.freeze({ ...receiver, ...fields }));
      if (fields.status !== 'disabled') return 'changed';
      for (const row of pendingOf(id)) change(row, { status: 'failed', changedAt: now });
      return 'changed';
    },

    delete(id) {
      if (receivers.get(id) === undefined) return 'not-found';
      for (const row of rowsOf(id)) deliveries.delete(row.id);
      receivers.delete(id);
      return 'deleted';
    },

    claim(receiverId, now, leaseEnds, limit) {
      const subjects = new Set<string>();
      const isHead = ({ subject }: Delivery) => subjects.size < subjects.add(subject).size;
      const pending = deliveriesOf.get(`pending ${receiverId}`);
      // The oldest that are due: to look for those that are due for longest would take longer the more wait.
      const claimed = pending?.slice({ offset: 0, limit }, (row) => isHead(row) && row.dueAt <= now) ?? [];
      for (const row of claimed) change(row, { dueAt: leaseEnds });
      return claimed;
    },

    settle(ids, outcome) {
      for (const id of ids) {
        const row = deliveries.get(id);
        if (row?.status === 'pending') change(row, outcome);
      }
    },

    listDeliveries: (id, { offset, limit }) =>
      rowsOf(id)
        .reverse()
        .slice(offset, offset + limit),

    countDeliveries: (id) =>
      id === undefined ? deliveries.count(({ status }) => status === 'pending') : rowsOf(id).length,

    redeliver(receiverId, deliveryId, now) {
      const chosen = rowsOf(receiverId).filter(({ id, status }) =>
        deliveryId === undefined ? status === 'failed' : id === deliveryId && status !== 'pending',
      );
      for (const row of chosen) change(row, { status: 'pending', attempts: 0, changedAt: now, dueAt: now });
      return chosen.length;
    },

    deleteExpired(before, limit) {
      const settled = deliveries.slice({ offset: 0, limit }, ({ status }) => status !== 'pending');
      const expired = settled.filter(({ time }) => time < before);
      for (const { id } of expired) deliveries.delete(id);
      return expired.length;
    },
  };
}
