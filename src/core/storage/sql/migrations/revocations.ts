/** The fourth migration: since when the tokens of each user are accepted. */
import type { Kysely } from 'kysely';
import type { ColumnTypes } from './column-types.js';

/** A column without a default rewrites no row, so the table is locked for a moment only. */
export async function revocations({ schema }: Kysely<unknown>, { moment }: ColumnTypes): Promise<void> {
  await schema.alterTable('users').addColumn('sessions_from', moment).execute();
}
