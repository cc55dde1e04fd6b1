/** Stores an event for each receiver that wants it, as the end of the transaction of its write. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { timestampOf } from '../../model/timestamp.js';
import type { User } from '../../model/user.js';
import type { OutboxEvent } from '../../model/webhook.js';
import { PreparedQuery, rowsOf, type SqlRunner, type SqlTask } from './query/runner.js';

export function eventAddition({ builder, dialect }: SqlRunner): (event: OutboxEvent) => SqlTask<void> {
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

  return function* add({ eventId, type, subject, time, data }) {
    const text = JSON.stringify(data);
    const values = [eventId, type, subject, time, text, time, time];
    if (dialect.database === 'sqlite') {
      for (const { id } of yield* rowsOf(wanted.with(`"${type}"`))) yield* rowsOf(single.with(id, ...values));
    } else yield* rowsOf(addition.with(...values, `%"${type}"%`));
  };
}

/** The event of a user that was given back. */
export function createdAgain(user: User): OutboxEvent {
  const time = timestampOf(Date.now());
  return { eventId: randomUUID(), type: 'user.created', subject: `user:${user.id}`, time, data: user };
}
