/** The second migration: the identities of users at identity providers. */
import type { Kysely } from 'kysely';
import type { ColumnTypes } from './column-types.js';

export async function externalIdentities({ schema }: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await schema
    .createTable('external_identities')
    .addColumn('issuer', types.key, (column) => column.notNull())
    .addColumn('subject', types.key, (column) => column.notNull())
    .addColumn('user_id', types.integer, (column) =>
      column.notNull().unique().references('users.id').onDelete('cascade'),
    )
    .addPrimaryKeyConstraint('external_identities_key', ['issuer', 'subject'])
    .modifyEnd(types.keyedTable)
    .execute();
}
