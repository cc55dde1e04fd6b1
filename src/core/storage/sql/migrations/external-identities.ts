/** The migration that adds the identities by which identity providers know the users. */
import type { Kysely } from 'kysely';
import type { Words } from './words.js';

export async function externalIdentities({ schema }: Kysely<unknown>, words: Words): Promise<void> {
  await schema
    .createTable('external_identities')
    .addColumn('issuer', words.key, (column) => column.notNull())
    .addColumn('subject', words.key, (column) => column.notNull())
    .addColumn('user_id', words.integer, (column) =>
      column.notNull().unique().references('users.id').onDelete('cascade'),
    )
    .addPrimaryKeyConstraint('external_identities_key', ['issuer', 'subject'])
    .modifyEnd(words.keyedTable)
    .execute();
}
