/** The outbox of the SQL storages. */
import { sql } from 'kysely';
import { parseId } from '../../model/id.js';
import type { Delivery, OutboxEvent, Receiver } from '../../model/webhook.js';
import type { OutboxStore } from '../../ports/outbox.js';
import { insertedOf, readerOf, type RowOf, selectionOf, updatedOf } from './query/columns.js';
import {
  countOf,
  isAlone,
  PreparedQuery,
  rowOf,
  rowsOf,
  type SqlRunner,
  type SqlTask,
  type TasksOf,
} from './query/runner.js';
import { deliveryColumns, receiverColumns } from './query/schema.js';

export type OutboxTasks = TasksOf<OutboxStore> & {
  /** Stores an event for each receiver that wants it, as the end of its transaction. */
  readonly add: (event: OutboxEvent) => SqlTask<void>;
};

export function outboxTasks({ builder, dialect }: SqlRunner): OutboxTasks {
  const receiverOf = readerOf(receiverColumns);
  const deliveryOf = readerOf(deliveryColumns);
  const columns = selectionOf(receiverColumns, dialect);
  const receivers = builder
    .selectFrom('outbox_receivers')
    .select(columns)
    .$castTo<RowOf<Receiver>>()
    .orderBy('id');
  const deliveries = builder.selectFrom('outbox_deliveries');
  const pending = deliveries.where('status', '=', sql.lit('pending'));
  const change = builder.updateTable('outbox_deliveries');
  const selection = selectionOf(deliveryColumns, dialect);

  const due = pending
    .where('receiver_id', '=', sql.ref<string>('outbox_receivers.id'))
    .where('due_at', '<=', '');
  const dueReceivers = new PreparedQuery(
    'outbox.dueReceivers',
    receivers.where((eb) => eb.exists(due.select('id'))),
  );
  const fields = ['event_id', 'type', 'subject', 'time', 'data', 'changed_at', 'due_at'] as const;
  const addition = new PreparedQuery(
    'outbox.add',
    builder
      .insertInto('outbox_deliveries')
      .columns(['receiver_id', 'status', 'attempts', ...fields])
      .expression((eb) =>
        eb
          .selectFrom('outbox_receivers')
          .select(['id', sql.lit('pending').as('status'), sql.lit(0).as('attempts')])
          .select(fields.map((field) => eb.val('').as(field)))
          .where('status', '=', sql.lit('active'))
          // In a stored list, each type is in quotes.
          .where((or) => or.or([or('types', 'is', null), or(sql<string>`types`, 'like', '')])),
      ),
  );
  // SQLite: an insertion of what a query finds writes even if it finds nothing, and `like` takes longer than all of the query.
  const wanted = new PreparedQuery(
    undefined,
    builder
      .selectFrom('outbox_receivers')
      .select('id')
      .where('status', '=', sql.lit('active'))
      .where((or) => or.or([or('types', 'is', null), sql<boolean>`instr(types, ${''})`])),
  );
  const single = new PreparedQuery(
    undefined,
    builder.insertInto('outbox_deliveries').values({
      receiver_id: '',
      status: sql.lit('pending'),
      attempts: sql.lit(0),
      event_id: '',
      type: 'user.created',
      subject: '',
      time: '',
      data: '',
      changed_at: '',
      due_at: '',
    }),
  );
  const isBehind = sql<boolean>`exists (
    select 1 from outbox_deliveries as earlier
    where earlier.receiver_id = outbox_deliveries.receiver_id and earlier.subject = outbox_deliveries.subject
      and earlier.id < outbox_deliveries.id and earlier.status = 'pending'
  )`;

  return {
    *add({ eventId, type, subject, time, data }) {
      const text = JSON.stringify(data);
      const values = [eventId, type, subject, time, text, time, time];
      if (dialect.database === 'sqlite') {
        for (const { id } of yield* rowsOf(wanted.with(`"${type}"`)))
          yield* rowsOf(single.with(id, ...values));
      } else yield* rowsOf({ ...addition.with(...values, `%"${type}"%`), isLast: true });
    },

    *receivers(dueAt) {
      return (yield* rowsOf(dueAt === undefined ? receivers : dueReceivers.with(dueAt))).map(receiverOf);
    },

    *create(receiver, now) {
      const values = {
        ...insertedOf(receiverColumns, { ...receiver, createdAt: now }),
        status: 'active',
      } as const;
      const insertion = builder
        .insertInto('outbox_receivers')
        .values(values)
        .onConflict((conflict) => conflict.column('consumer').doNothing())
        .returning(columns)
        .$castTo<RowOf<Receiver>>();
      const known = receivers.where('consumer', '=', receiver.consumer ?? '');
      const row = (yield* rowOf(insertion)) ?? (yield* rowOf(known));
      if (row === undefined) throw new Error(`the consumer ${String(receiver.consumer)} is being deleted`);
      return receiverOf(row);
    },

    *change(id, fields, now) {
      if (parseId(id) === undefined) return 'not-found';
      const receiver = builder.updateTable('outbox_receivers').set(updatedOf(receiverColumns, fields));
      if ((yield* rowOf(receiver.where('id', '=', id).returning('id'))) === undefined) return 'not-found';
      if (fields.status === 'disabled') {
        const waiting = change.where('receiver_id', '=', id).where('status', '=', 'pending');
        yield* rowsOf(waiting.set({ status: 'failed', changed_at: now }));
      }
      return 'changed';
    },

    *delete(id) {
      if (parseId(id) === undefined) return 'not-found';
      const deletion = builder.deleteFrom('outbox_receivers').where('id', '=', id).returning('id');
      return (yield* rowOf(deletion)) === undefined ? 'not-found' : 'deleted';
    },

    *claim(receiverId, now, leaseEnds, limit) {
      const claimed = pending
        .where('receiver_id', '=', receiverId)
        .where('due_at', '<=', now)
        .where((eb) => eb.not(isBehind))
        .select(selection)
        .orderBy('due_at')
        .limit(limit)
        .modifyEnd(dialect.skipsClaimed)
        .$castTo<RowOf<Delivery>>();
      const found = (yield* rowsOf(claimed)).map(deliveryOf);
      const ids = dialect.idList(found.map(({ id }) => id));
      if (found.length > 0) yield* rowsOf(change.set({ due_at: leaseEnds }).where('id', 'in', ids));
      return found;
    },

    *settle(ids, outcome) {
      const settled = change.set(updatedOf(deliveryColumns, outcome)).where('id', 'in', dialect.idList(ids));
      yield* rowsOf(settled.where('status', '=', 'pending'));
    },

    *listDeliveries(receiverId, { offset, limit }) {
      if (parseId(receiverId) === undefined) return [];
      const page = deliveries
        .where('receiver_id', '=', receiverId)
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(offset);
      return (yield* rowsOf(page.select(selection).$castTo<RowOf<Delivery>>())).map(deliveryOf);
    },

    *countDeliveries(receiverId = '') {
      const some =
        parseId(receiverId) === undefined ? pending : deliveries.where('receiver_id', '=', receiverId);
      return yield* countOf(some.select(({ fn }) => fn.countAll().as('count')));
    },

    *redeliver(receiverId, deliveryId, now) {
      if ([receiverId, deliveryId ?? '1'].some((id) => parseId(id) === undefined)) return 0;
      const again = change
        .set({ status: 'pending', attempts: 0, changed_at: now, due_at: now })
        .where('receiver_id', '=', receiverId);
      const chosen =
        deliveryId === undefined
          ? again.where('status', '=', 'failed')
          : again.where('id', '=', deliveryId).where('status', '!=', 'pending');
      return (yield* rowsOf(chosen.returning('id'))).length;
    },

    *deleteExpired(before, limit) {
      if (!(yield* isAlone(dialect))) return 0;
      // Ids grow with time, so the oldest are found without an index of the times.
      const settled = deliveries.where('status', '!=', 'pending').select('id').orderBy('id').limit(limit);
      const deletion = builder.deleteFrom('outbox_deliveries').where('id', 'in', settled);
      const expired = deletion.where('time', '<', before).where('status', '!=', 'pending');
      return (yield* rowsOf(expired.returning('id'))).length;
    },
  };
}
