/** The third migration: refresh tokens and API keys. */
import type { Kysely } from 'kysely';
import type { ColumnTypes } from './column-types.js';

/** Both are stored as hashes only. `schema.ts` describes the columns. */
export async function credentials(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('refresh_tokens')
    .addColumn('hash', types.key, (column) => column.notNull().primaryKey())
    .addColumn('user_id', types.integer, (column) =>
      column.notNull().references('users.id').onDelete('cascade'),
    )
    .addColumn('family', types.key, (column) => column.notNull())
    .addColumn('used', types.integer, (column) => column.notNull())
    .addColumn('expires_at', types.moment, (column) => column.notNull())
    .modifyEnd(types.keyedTable)
    .execute();
  await db.schema
    .createTable('api_keys')
    .addColumn('id', types.integer, types.assigned)
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('owner_id', types.integer, (column) => column.references('users.id').onDelete('cascade'))
    .addColumn('active', types.integer, (column) => column.notNull().defaultTo(1))
    .addColumn('created_at', types.moment, (column) => column.notNull())
    .addColumn('last_used_at', types.moment)
    .modifyEnd(types.table)
    .execute();
  for (const [table, column] of [
    ['refresh_tokens', 'user_id'],
    ['refresh_tokens', 'family'],
    ['refresh_tokens', 'expires_at'],
    ['api_keys', 'owner_id'],
  ] as const) {
    await db.schema.createIndex(`${table}_${column}_index`).on(table).column(column).execute();
  }
}
