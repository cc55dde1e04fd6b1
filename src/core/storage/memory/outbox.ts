/** The outbox of the memory storage. */
import type { Id } from '../../model/id.js';
import type { Delivery, Receiver } from '../../model/webhook.js';
import type { OutboxStep, OutboxStore } from '../../ports/outbox.js';
import type { Timestamp } from '../../model/timestamp.js';
import type { AtOnce, MemoryTables } from './tables.js';

export function memoryOutbox(tables: MemoryTables): AtOnce<OutboxStore> {
  const { receivers, deliveries, deliveriesTo, deliveriesOf } = tables;
  /** The pending deliveries that a process is at. */
  const claimed = new Set<Id>();
  const rowsOf = (id: string) => deliveriesTo.get(id)?.all() ?? [];
  const pendingOf = (id: string) => deliveriesOf.get(`pending ${id}`);
  /** The oldest that are due: to look for those that are due for longest would take longer the more wait. */
  const dueOf = (id: string, now: Timestamp, limit: number): readonly Delivery[] => {
    const subjects = new Set<string>();
    const isFirst = ({ subject }: Delivery) => subjects.size < subjects.add(subject).size;
    return pendingOf(id)?.slice({ offset: 0, limit }, (row) => isFirst(row) && row.dueAt <= now) ?? [];
  };
  const change = (row: Delivery, fields: Partial<Delivery>) => {
    deliveries.replace(Object.freeze({ ...row, ...fields }));
  };
  const hasten = (row: Delivery, now: Timestamp): void => {
    if (row.dueAt > now && !claimed.has(row.id)) change(row, { attempts: 0, dueAt: now });
  };
  const stepOf = (rows: readonly Delivery[], limit: number): OutboxStep => ({
    count: rows.length,
    last: rows.length === limit ? rows.at(-1)?.id : undefined,
  });

  return {
    publish(event) {
      const { time } = event;
      const state = {
        status: 'pending',
        attempts: 0,
        changedAt: time,
        dueAt: time,
        answer: undefined,
      } as const;
      for (const { id: receiverId, types, status } of receivers.all()) {
        if (status !== 'active' || types?.includes(event.type) === false) continue;
        deliveries.add(Object.freeze<Delivery>({ id: deliveries.nextId(), receiverId, ...event, ...state }));
      }
    },

    receivers(dueAt) {
      if (dueAt === undefined) return receivers.all();
      return receivers
        .all()
        .filter(({ id, status }) => status === 'active' && dueOf(id, dueAt, 1).length > 0);
    },

    find: (id) => receivers.get(id),

    create(receiver, now) {
      const known = receivers.all().find(({ consumer }) => consumer === (receiver.consumer ?? ''));
      if (known !== undefined) return known;
      const id = receivers.nextId();
      const created = Object.freeze<Receiver>({ ...receiver, id, status: 'active', createdAt: now });
      receivers.add(created);
      return created;
    },

    change(id, change) {
      const receiver = receivers.get(id);
      if (receiver === undefined) return 'not-found';
      const fields = typeof change === 'function' ? change(receiver) : change;
      receivers.replace(Object.freeze({ ...receiver, ...fields }));
      return 'changed';
    },

    delete(id, limit) {
      const receiver = receivers.get(id);
      if (receiver === undefined) return 'not-found';
      receivers.replace(Object.freeze({ ...receiver, status: 'disabled' }));
      const rows = deliveriesTo.get(id)?.slice({ offset: 0, limit }) ?? [];
      for (const row of rows) deliveries.delete(row.id);
      if (rows.length === limit) return 'more';
      receivers.delete(id);
      return 'deleted';
    },

    claim(receiverId, now, leaseEnds, limit) {
      if (receivers.get(receiverId)?.status !== 'active') return [];
      const due = dueOf(receiverId, now, limit);
      for (const row of due) {
        claimed.add(row.id);
        change(row, { dueAt: leaseEnds });
      }
      return due;
    },

    settle(ids, { isAttempt = false, ...outcome }) {
      for (const id of ids) {
        claimed.delete(id);
        const row = deliveries.get(id);
        if (row?.status === 'pending')
          change(row, { ...outcome, attempts: row.attempts + Number(isAttempt) });
      }
    },

    listDeliveries(id, { offset, limit }, status, order) {
      const rows = rowsOf(id).filter((each) => status === undefined || each.status === status);
      const ordered = order === 'oldest first' ? rows : rows.toReversed();
      return ordered.slice(offset, offset + limit);
    },

    countDeliveries(id, after, limit, status) {
      const isCounted = (each: Delivery) => status === undefined || each.status === status;
      return stepOf(deliveriesTo.get(id)?.slice({ after, limit }, isCounted) ?? [], limit);
    },

    countWaiting(after) {
      // All of them in one step.
      if (after !== undefined) return [];
      return receivers.all().flatMap(({ id }) => {
        const rows = pendingOf(id)?.all() ?? [];
        const [first, last] = [rows[0], rows.at(-1)];
        if (first === undefined || last === undefined) return [];
        return [{ receiverId: id, count: rows.length, oldest: first.time, last: last.id }];
      });
    },

    redeliver(receiverId, deliveryId, now, limit) {
      const one = deliveries.get(deliveryId ?? '');
      const isChosen = one?.receiverId === receiverId && one.status !== 'pending';
      const failed = () => deliveriesOf.get(`failed ${receiverId}`)?.slice({ offset: 0, limit }) ?? [];
      const chosen = deliveryId === undefined ? failed() : isChosen ? [one] : [];
      for (const row of chosen) change(row, { status: 'pending', attempts: 0, changedAt: now, dueAt: now });
      return chosen.length;
    },

    hasten(id, after, now, limit) {
      const rows = pendingOf(id)?.slice({ after, limit }) ?? [];
      for (const row of rows) hasten(row, now);
      return stepOf(rows, limit);
    },

    hastenOne(receiverId, deliveryId, now) {
      const one = deliveries.get(deliveryId);
      if (one?.receiverId !== receiverId || one.status !== 'pending') return 'not-found';
      const isOfSubject = ({ subject }: Delivery) => subject === one.subject;
      for (const row of pendingOf(receiverId)?.slice({ offset: 0, limit: 1 }, isOfSubject) ?? [])
        hasten(row, now);
      return 'hastened';
    },

    deleteExpired(before, limit) {
      const isLeft = (id: Id) => receivers.get(id)?.status === 'disabled';
      const settled = deliveries.slice(
        { offset: 0, limit },
        ({ status, receiverId }) => status !== 'pending' || isLeft(receiverId),
      );
      const expired = settled.filter(({ time }) => time < before);
      for (const { id } of expired) deliveries.delete(id);
      return expired.length;
    },
  };
}
