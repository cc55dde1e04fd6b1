/** All migrations, in the order in which they run. They are code, so that no file is read at run time. */
import { type ColumnDefinitionBuilder, type Kysely, Migrator } from 'kysely';
import type { ColumnTypes } from './column-types.js';
import { initial } from './initial.js';
import { listPages } from './list-pages.js';
import type { MigrationOptions } from './options.js';

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

/** The table of the migrations that have run. */
export const migrationTable = 'concordat_migrations';

/**
 * Runs the migrations that have not run yet. Its bookkeeping tables have their own names, so that an application with Kysely
 * migrations can share the database.
 *
 * @param schema - the schema of the tables, in a database that has schemas
 * @throws the error of the database; also for a database that a later version of this package has migrated
 */
export async function migrateToLatest(
  db: Kysely<unknown>,
  types: ColumnTypes,
  { onMigration = () => undefined, migrate = true }: MigrationOptions = {},
  schema?: string,
): Promise<void> {
  const entries = Object.entries(migrations).map(
    ([name, run]) => [name, { up: (to: Kysely<unknown>) => run(to, types) }] as const,
  );
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(Object.fromEntries(entries)) },
    migrationTableName: migrationTable,
    migrationLockTableName: 'concordat_migrations_lock',
    // Kysely's own comparison loads the rules of languages, which takes 7 ms of each start.
    nameComparator: (one, other) => (one < other ? -1 : Number(one > other)),
    ...(schema !== undefined && { migrationTableSchema: schema }),
  });
  if (!migrate) {
    for (const { name, executedAt } of await migrator.getMigrations()) {
      if (executedAt === undefined) onMigration(name);
    }
    return;
  }
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error !== undefined)
    throw error instanceof Error ? error : new Error('the migration failed', { cause: error });
  for (const { migrationName } of results) onMigration(migrationName);
}
