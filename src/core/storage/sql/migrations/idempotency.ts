/** The fifth migration: idempotency keys. */
import type { Kysely } from 'kysely';
import type { ColumnTypes } from './column-types.js';

/** A key has no foreign key to its record: it outlives it, so that a repeated request does not create another. */
export async function idempotency({ schema }: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await schema
    .createTable('idempotency_keys')
    .addColumn('caller', types.key, (column) => column.notNull())
    .addColumn('key_hash', types.key, (column) => column.notNull())
    .addColumn('request_hash', 'text', (column) => column.notNull())
    .addColumn('record_id', types.integer)
    .addColumn('expires_at', types.moment, (column) => column.notNull())
    .addPrimaryKeyConstraint('idempotency_keys_key', ['caller', 'key_hash'])
    .modifyEnd(types.keyedTable)
    .execute();
  await schema
    .createIndex('idempotency_keys_expires_at_index')
    .on('idempotency_keys')
    .column('expires_at')
    .execute();
}
