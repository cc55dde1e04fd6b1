/** All migrations, in the order in which they run. They are code, so that no file is read at run time. */
import type { ColumnDefinitionBuilder, Kysely } from 'kysely';
import type { ColumnTypes } from './column-types.js';
import { initial } from './initial.js';
import { listPages } from './list-pages.js';

type Migrate = (db: Kysely<unknown>, types: ColumnTypes) => Promise<void>;

const required = (column: ColumnDefinitionBuilder) => column.notNull();
const ofUser = (column: ColumnDefinitionBuilder) => column.references('users.id').onDelete('cascade');

/** The identities of users at identity providers. */
const externalIdentities: Migrate = async ({ schema }, types) => {
  await schema
    .createTable('external_identities')
    .addColumn('issuer', types.key, required)
    .addColumn('subject', types.key, required)
    .addColumn('user_id', types.integer, (column) => ofUser(column.notNull().unique()))
    .addPrimaryKeyConstraint('external_identities_key', ['issuer', 'subject'])
    .modifyEnd(types.keyedTable)
    .execute();
};

/** Refresh tokens and API keys: both are stored as hashes only. */
const credentials: Migrate = async ({ schema }, types) => {
  await schema
    .createTable('refresh_tokens')
    .addColumn('hash', types.key, (column) => column.notNull().primaryKey())
    .addColumn('user_id', types.integer, (column) => ofUser(column.notNull()))
    .addColumn('family', types.key, required)
    .addColumn('used', types.integer, required)
    .addColumn('expires_at', types.moment, required)
    .modifyEnd(types.keyedTable)
    .execute();
  await schema
    .createTable('api_keys')
    .addColumn('id', types.integer, types.assigned)
    .addColumn('name', 'text', required)
    .addColumn('hash', 'text', required)
    .addColumn('owner_id', types.integer, ofUser)
    .addColumn('active', types.integer, (column) => column.notNull().defaultTo(1))
    .addColumn('created_at', types.moment, required)
    .addColumn('last_used_at', types.moment)
    .modifyEnd(types.table)
    .execute();
  for (const [table, column] of [
    ['refresh_tokens', 'user_id'],
    ['refresh_tokens', 'family'],
    ['refresh_tokens', 'expires_at'],
    ['api_keys', 'owner_id'],
  ] as const) {
    await schema.createIndex(`${table}_${column}_index`).on(table).column(column).execute();
  }
};

/** Adds the time since which each user's tokens are accepted. Without a default, no row is rewritten and the table is locked briefly. */
const revocations: Migrate = async ({ schema }, { moment }) => {
  await schema.alterTable('users').addColumn('sessions_from', moment).execute();
};

/** A key has no foreign key to its record: the key outlives the record, so that a repeated request does not create another. */
const idempotency: Migrate = async ({ schema }, types) => {
  await schema
    .createTable('idempotency_keys')
    .addColumn('caller', types.key, required)
    .addColumn('key_hash', types.key, required)
    .addColumn('request_hash', 'text', required)
    .addColumn('record_id', types.integer)
    .addColumn('expires_at', types.moment, required)
    .addPrimaryKeyConstraint('idempotency_keys_key', ['caller', 'key_hash'])
    .modifyEnd(types.keyedTable)
    .execute();
  const index = schema.createIndex('idempotency_keys_expires_at_index');
  await index.on('idempotency_keys').column('expires_at').execute();
};

/** The log of privileged actions. It is read and emptied in the order of the ids, so it has no other index. */
const auditLog: Migrate = async ({ schema }, types) => {
  await schema
    .createTable('audit_log')
    .addColumn('id', types.integer, types.assigned)
    .addColumn('at', types.moment, required)
    .addColumn('actor', 'text', required)
    .addColumn('action', 'text', required)
    .addColumn('target', 'text')
    .addColumn('address', 'text')
    .addColumn('outcome', 'text', required)
    .addColumn('detail', 'text')
    .modifyEnd(types.table)
    .execute();
};

/**
 * The migrations by name; a database stores the names that have run. A new migration goes to the end, with the next number; a
 * published one never changes. There are no down migrations, because undoing a migration would lose data. `schema.ts` describes the
 * tables.
 *
 * A migration only expands: the statements of earlier versions still work after it, so that these can run beside this version and be
 * put back. One that cannot keep this rule ends its name with the oldest version that works on its result: `0012_drop_phone>=0.4.0`.
 */
export const migrations: Readonly<Record<string, Migrate>> = {
  '0001_initial': initial,
  '0002_external_identities': externalIdentities,
  '0003_credentials': credentials,
  '0004_revocations': revocations,
  '0005_idempotency': idempotency,
  '0006_list_pages': listPages,
  '0007_audit_log': auditLog,
};
