/** The outbox of the SQL storages. */
import { type Expression, sql } from 'kysely';
import { compareIds, type Id, parseId } from '../../model/id.js';
import { type Timestamp, timestampOf } from '../../model/timestamp.js';
import type { Delivery, Receiver } from '../../model/webhook.js';
import type { OutboxStep, OutboxStore } from '../../ports/outbox.js';
import { insertedOf, readerOf, type RowOf, selectionOf, updatedOf } from './query/columns.js';
import {
  isAlone,
  PreparedQuery,
  rowOf,
  rowsOf,
  type SqlRunner,
  type SqlTask,
  type TasksOf,
} from './query/runner.js';
import type { SqlInteger } from './query/query.js';
import { deliveryColumns, receiverColumns } from './query/schema.js';

/** The due deliveries that a claim looks at, of which some may wait for others. */
const lookedAt = 200;
/**
 * A delivery that waits for another is not looked at again before this time, unless the other is settled. It may pass if a process of an
 * earlier version settles that one, which makes no other due.
 */
const setAsideMs = 10 * 60_000;

export function outboxTasks({ builder, dialect }: SqlRunner): TasksOf<Omit<OutboxStore, 'publish'>> {
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
  // PostgreSQL would join what `exists` finds, and read all that is due for it.
  const first = due.select('id').orderBy('due_at').limit(sql.lit(1));
  const dueReceivers = new PreparedQuery(
    'outbox.dueReceivers',
    receivers.where('status', '=', sql.lit('active')).where(first, 'is not', null),
  );
  const isBehind = sql<SqlInteger>`case when exists (
    select 1 from outbox_deliveries as earlier
    where earlier.receiver_id = outbox_deliveries.receiver_id and earlier.subject = outbox_deliveries.subject
      and earlier.id < outbox_deliveries.id and earlier.status = 'pending'
  ) then 1 else 0 end`;
  /** The first pending deliveries about the subjects of others. */
  const firstOf = (ids: Expression<SqlInteger>) => sql<SqlInteger>`(
    select (
      select min(first.id) from outbox_deliveries as first
      where first.receiver_id = one.receiver_id and first.subject = one.subject and first.status = 'pending'
    ) from outbox_deliveries as one where one.id in ${ids}
  )`;
  /** Makes pending deliveries due that are due later. Those that wait for another become due when it is settled. */
  const hastened = (now: Timestamp) =>
    change.set({ attempts: 0, due_at: now }).where('due_at', '>', now).where('hold', 'is', null);

  function* countPart(all: typeof deliveries, after: Id | undefined, limit: number): SqlTask<OutboxStep> {
    const part = all
      .where('id', '>', after ?? '0')
      .select('id')
      .orderBy('id')
      .limit(limit)
      .as('part');
    const counted = builder
      .selectFrom(part)
      .select(({ fn }) => [fn.countAll().as('count'), fn.max('id').as('last')]);
    const { count, last } = (yield* rowOf(counted)) ?? { count: 0, last: null };
    return { count: Number(count), last: Number(count) === limit ? String(last) : undefined };
  }

  /** Literal, so that the partial indexes of a status serve it. */
  const withStatus = (status: Delivery['status'] | undefined) =>
    status === undefined ? deliveries : deliveries.where('status', '=', sql.lit(status));

  const lock = builder.selectFrom('outbox_receivers').select('id').orderBy('id').modifyEnd(dialect.locks);

  const tasks: TasksOf<Omit<OutboxStore, 'publish'>> = {
    *receivers(dueAt) {
      return (yield* rowsOf(dueAt === undefined ? receivers : dueReceivers.with(dueAt))).map(receiverOf);
    },

    *find(id) {
      if (parseId(id) === undefined) return undefined;
      const row = yield* rowOf(receivers.where('id', '=', id));
      return row && receiverOf(row);
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

    *change(id, change) {
      if (parseId(id) === undefined) return 'not-found';
      let fields = change;
      if (typeof fields === 'function') {
        const row = yield* rowOf(receivers.where('id', '=', id).modifyEnd(dialect.locks));
        if (row === undefined) return 'not-found';
        fields = fields(receiverOf(row));
      }
      const receiver = builder.updateTable('outbox_receivers').set(updatedOf(receiverColumns, fields));
      const changed = yield* rowOf(receiver.where('id', '=', id).returning('id'));
      return changed === undefined ? 'not-found' : 'changed';
    },

    *delete(id, limit) {
      if ((yield* tasks.change(id, { status: 'disabled' })) === 'not-found') return 'not-found';
      const some = deliveries.where('receiver_id', '=', id).select('id').orderBy('id').limit(limit);
      const deletion = builder.deleteFrom('outbox_deliveries').where('id', 'in', some).returning('id');
      if ((yield* rowsOf(deletion)).length === limit) return 'more';
      yield* rowsOf(builder.deleteFrom('outbox_receivers').where('id', '=', id));
      return 'deleted';
    },

    *claim(receiverId, now, leaseEnds, limit) {
      // The claims and settlements of a receiver wait for each other, so that none sets aside what another makes due.
      const receiver = lock.where('id', '=', receiverId).where('status', '=', 'active');
      if ((yield* rowOf(receiver)) === undefined) return [];
      const due = pending
        .where('receiver_id', '=', receiverId)
        .where('due_at', '<=', now)
        .select(['id', isBehind.as('behind')])
        .orderBy('due_at')
        .limit(Math.max(limit, lookedAt));
      const found = yield* rowsOf(due);
      const [waiting = [], free = []] = [1, 0].map((behind) =>
        found.filter((row) => Number(row.behind) === behind).map(({ id }) => String(id)),
      );
      const until = timestampOf(Date.parse(now) + setAsideMs);
      if (waiting.length > 0)
        yield* rowsOf(
          change.set({ due_at: until, hold: 'behind' }).where('id', 'in', dialect.idList(waiting)),
        );
      if (free.length === 0) return [];
      const claim = change
        .set({ due_at: leaseEnds, hold: 'claimed' })
        .where('id', 'in', dialect.idList(free.slice(0, limit)))
        .returning(selection)
        .$castTo<RowOf<Delivery>>();
      const claimed = (yield* rowsOf(claim)).map(deliveryOf);
      return claimed.toSorted((one, other) => compareIds(one.id, other.id));
    },

    *settle(ids, { isAttempt = false, ...outcome }) {
      const list = dialect.idList(ids);
      const receiversOf = deliveries.where('id', 'in', list).select('receiver_id');
      yield* rowsOf(lock.where('id', 'in', receiversOf));
      const settled = change
        .set({ ...updatedOf(deliveryColumns, outcome), hold: null })
        .$if(isAttempt, (some) => some.set({ attempts: sql`attempts + 1` }))
        .where('id', 'in', list);
      yield* rowsOf(settled.where('status', '=', 'pending'));
      if ((outcome.status ?? 'pending') === 'pending') return;
      const next = change.set((eb) => ({ due_at: eb.ref('time'), hold: null }));
      yield* rowsOf(next.where('id', 'in', firstOf(list)).where('hold', '=', 'behind'));
    },

    *listDeliveries(receiverId, { offset, limit }, status, order) {
      if (parseId(receiverId) === undefined) return [];
      const direction = order === 'oldest first' ? 'asc' : 'desc';
      const page = withStatus(status)
        .where('receiver_id', '=', receiverId)
        .select('id')
        .orderBy('id', direction)
        .limit(limit)
        .offset(offset);
      const some = deliveries.where('id', 'in', page).orderBy('id', direction);
      return (yield* rowsOf(some.select(selection).$castTo<RowOf<Delivery>>())).map(deliveryOf);
    },

    *countDeliveries(id, after, limit, status) {
      if (parseId(id) === undefined) return { count: 0, last: undefined };
      return yield* countPart(withStatus(status).where('receiver_id', '=', id), after, limit);
    },

    *countWaiting(after, limit) {
      const { receiverId = '0', last = '0' } = after ?? {};
      const part = pending
        .where((eb) => eb(eb.refTuple('receiver_id', 'id'), '>', eb.tuple(receiverId, last)))
        .select(['receiver_id', 'id'])
        .orderBy('receiver_id')
        .orderBy('id')
        .limit(limit)
        .as('part');
      const groups = builder
        .selectFrom(part)
        .groupBy('receiver_id')
        .select(({ fn }) => [fn.countAll().as('count'), fn.min('id').as('first'), fn.max('id').as('last')])
        .as('groups');
      const counted = deliveries
        .innerJoin(groups, 'groups.first', 'id')
        .select(['receiver_id', 'count', 'last', dialect.moment('time').as('oldest')])
        .orderBy('receiver_id');
      return (yield* rowsOf(counted)).map(({ receiver_id, count, last: end, oldest }) => ({
        ...{ receiverId: String(receiver_id), count: Number(count), oldest, last: String(end) },
      }));
    },

    *redeliver(receiverId, deliveryId, now, limit) {
      if ([receiverId, deliveryId ?? '1'].some((id) => parseId(id) === undefined)) return 0;
      const own = deliveries.where('receiver_id', '=', receiverId).select('id');
      const chosen =
        deliveryId === undefined
          ? own.where('status', '=', sql.lit('failed')).orderBy('id').limit(limit)
          : own.where('id', '=', deliveryId).where('status', '!=', sql.lit('pending'));
      const again = change.set({ status: 'pending', attempts: 0, changed_at: now, due_at: now, hold: null });
      return (yield* rowsOf(again.where('id', 'in', chosen).returning('id'))).length;
    },

    *hasten(id, after, now, limit) {
      if (parseId(id) === undefined) return { count: 0, last: undefined };
      const own = pending.where('receiver_id', '=', id);
      const step = yield* countPart(own, after, limit);
      const part = own
        .where('id', '>', after ?? '0')
        .select('id')
        .orderBy('id')
        .limit(limit);
      yield* rowsOf(hastened(now).where('id', 'in', part));
      return step;
    },

    *hastenOne(receiverId, deliveryId, now) {
      if ([receiverId, deliveryId].some((id) => parseId(id) === undefined)) return 'not-found';
      const one = pending.where('receiver_id', '=', receiverId).where('id', '=', deliveryId).select('id');
      if ((yield* rowOf(one)) === undefined) return 'not-found';
      yield* rowsOf(hastened(now).where('id', 'in', firstOf(dialect.idList([deliveryId]))));
      return 'hastened';
    },

    *deleteExpired(before, limit) {
      if (!(yield* isAlone(dialect))) return 0;
      // Ids grow with time, so the oldest are found without an index of the times.
      const oldest = deliveries.select('id').orderBy('id').limit(limit);
      const deletion = builder.deleteFrom('outbox_deliveries').where('time', '<', before).returning('id');
      const settled = oldest.where('status', '<>', sql.lit('pending'));
      const { length } = yield* rowsOf(deletion.where('id', 'in', settled));
      if (length > 0) return length;
      const first = sql<string>`(
        select time from outbox_deliveries where receiver_id = outbox_receivers.id order by id limit 1
      )`;
      const disabled = builder.selectFrom('outbox_receivers').select('id').where('status', '=', 'disabled');
      const receiver = yield* rowOf(disabled.where(first, '<', before).orderBy(first).limit(1));
      if (receiver === undefined) return 0;
      return (yield* rowsOf(deletion.where('id', 'in', oldest.where('receiver_id', '=', receiver.id))))
        .length;
    },
  };
  return tasks;
}
