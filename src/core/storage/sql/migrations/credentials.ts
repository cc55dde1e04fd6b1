/** The third migration: refresh tokens and API keys. */
import type { Kysely } from 'kysely';
import type { Words } from './words.js';

/** Both are kept as hashes only. What the columns are for says `schema.ts`. */
export async function credentials(db: Kysely<unknown>, words: Words): Promise<void> {
  await db.schema
    .createTable('refresh_tokens')
    .addColumn('hash', words.key, (column) => column.notNull().primaryKey())
    .addColumn('user_id', words.integer, (column) =>
      column.notNull().references('users.id').onDelete('cascade'),
    )
    .addColumn('family', words.key, (column) => column.notNull())
    .addColumn('used', words.integer, (column) => column.notNull())
    .addColumn('expires_at', words.moment, (column) => column.notNull())
    .modifyEnd(words.keyedTable)
    .execute();
  await db.schema
    .createTable('api_keys')
    .addColumn('id', words.integer, words.assigned)
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('owner_id', words.integer, (column) => column.references('users.id').onDelete('cascade'))
    .addColumn('active', words.integer, (column) => column.notNull().defaultTo(1))
    .addColumn('created_at', words.moment, (column) => column.notNull())
    .addColumn('last_used_at', words.moment)
    .modifyEnd(words.table)
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
