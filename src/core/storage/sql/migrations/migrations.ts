/**
 * All migrations, in the order in which they run. They are code, so that no file is read at run time. The published types of the package
 * include this file, so it does not use those of the query builder.
 */
import type { FieldsContract } from '../../../model/stored.js';
import type { Database } from '../query/query.js';
import { counters } from './counters.js';

/** The types of columns and the ends of `create table` statements that differ between the two databases. */
const types = {
  sqlite: {
    integer: 'integer',
    json: 'text',
    moment: 'text', // timestamps have a fixed number of digits, so text order is time order
    key: 'text',
    // Without autoincrement, the id of a deleted last row is reused.
    assigned: 'integer primary key autoincrement',
    strict: 'strict', // makes SQLite enforce column types
    keyed: 'strict, without rowid',
    thenId: '', // every SQLite index ends in the row id
  },
  postgres: {
    integer: 'bigint',
    json: 'jsonb',
    moment: 'timestamptz',
    key: 'text collate "C"', // an update of the system's locale cannot corrupt such an index
    assigned: 'bigint primary key generated always as identity',
    strict: '',
    keyed: '',
    thenId: ', id',
  },
} as const;

/**
 * `key` is a text that is indexed and compared byte by byte, `moment` a time in UTC with microseconds, `assigned` the primary key with
 * generated values that are never reused, and `keyed` ends a table that is stored in the order of its primary key where the database can.
 * With `thenId`, rows with equal values are in the order of their ids.
 */
function tables(database: Database): readonly string[] {
  const { integer, moment, key, assigned, strict, keyed, thenId } = types[database];
  const partOf = (table: string) => `references ${table} (id) on delete cascade`;
  return [
    `create table users (
      id ${assigned},
      name text not null,
      email text not null,
      email_key ${key} not null,
      phone text,
      city ${key},
      role ${key} not null,
      status ${key} not null,
      password_hash text,
      created_at ${moment} not null,
      updated_at ${moment} not null,
      sessions_from ${moment},
      version ${integer} not null default 1,
      constraint users_email_key unique (email_key)
    ) ${strict}`,
    // Each has the rows of one filter in the order of their ids.
    'create index users_group_index on users (role, status, id)',
    'create index users_city_group_index on users (city, role, status, id)',
    `create table external_identities (
      issuer ${key} not null,
      subject ${key} not null,
      user_id ${integer} not null unique ${partOf('users')},
      constraint external_identities_key primary key (issuer, subject)
    ) ${keyed}`,
    // The id is assigned by post_clock.
    `create table posts (
      id ${integer} primary key,
      title text not null,
      content text not null,
      author_id ${integer} not null ${partOf('users')},
      created_at ${moment} not null unique
    ) ${strict}`,
    `create index posts_author_id_index on posts (author_id${thenId})`,
    `create table post_clock (last_id ${integer} not null, last_created_at ${moment}) ${strict}`,
    'insert into post_clock (last_id) values (0)',
    `create table orders (
      id ${assigned},
      user_id ${integer} not null,
      status text not null,
      total_cents ${integer} not null,
      last_item_id ${integer} not null,
      created_at ${moment} not null,
      updated_at ${moment} not null,
      version ${integer} not null default 1
    ) ${strict}`,
    `create index orders_user_id_index on orders (user_id${thenId})`,
    `create table order_items (
      order_id ${integer} not null ${partOf('orders')},
      id ${integer} not null,
      product_id ${integer},
      name text not null,
      quantity ${integer} not null,
      unit_price_cents ${integer} not null,
      constraint order_items_key primary key (order_id, id)
    ) ${keyed}`,
    `create table products (
      id ${assigned},
      name text not null,
      description text,
      price_cents ${integer} not null,
      version ${integer} not null default 1
    ) ${strict}`,
    `create table categories (id ${assigned}, name ${key} not null unique) ${strict}`,
    `create table product_categories (
      product_id ${integer} not null ${partOf('products')},
      category_id ${integer} not null references categories (id),
      constraint product_categories_key primary key (product_id, category_id)
    ) ${keyed}`,
    `create table comments (
      id ${assigned},
      order_id ${integer} not null ${partOf('orders')},
      user_id ${integer} not null ${partOf('users')},
      order_user_id ${integer} not null,
      text text not null,
      created_at ${moment} not null
    ) ${strict}`,
    `create index comments_user_id_index on comments (user_id${thenId})`,
    // Their further columns save reading the rows.
    'create index comments_of_order_index on comments (order_id, id, user_id, order_user_id)',
    'create index comments_on_orders_of_user_index on comments (order_user_id, id, user_id)',
    // Refresh tokens and API keys are stored as hashes only.
    `create table refresh_tokens (
      hash ${key} not null primary key,
      user_id ${integer} not null ${partOf('users')},
      family ${key} not null,
      used ${integer} not null,
      expires_at ${moment} not null
    ) ${keyed}`,
    'create index refresh_tokens_user_id_index on refresh_tokens (user_id)',
    'create index refresh_tokens_family_index on refresh_tokens (family)',
    'create index refresh_tokens_expires_at_index on refresh_tokens (expires_at)',
    `create table api_keys (
      id ${assigned},
      name text not null,
      hash text not null,
      owner_id ${integer} ${partOf('users')},
      active ${integer} not null default 1,
      created_at ${moment} not null,
      last_used_at ${moment}
    ) ${strict}`,
    'create index api_keys_owner_id_index on api_keys (owner_id)',
    // No foreign key: a key outlives its record, so that a repeated request does not create another.
    `create table idempotency_keys (
      caller ${key} not null,
      key_hash ${key} not null,
      request_hash text not null,
      record_id ${integer},
      expires_at ${moment} not null,
      constraint idempotency_keys_key primary key (caller, key_hash)
    ) ${keyed}`,
    'create index idempotency_keys_expires_at_index on idempotency_keys (expires_at)',
    // It is read and emptied in the order of the ids, so it has no other index.
    `create table audit_log (
      id ${assigned},
      at ${moment} not null,
      actor text not null,
      action text not null,
      target text,
      address text,
      outcome text not null,
      detail text
    ) ${strict}`,
    `create table counters (
      table_name ${key} not null,
      shard ${integer} not null,
      value ${integer} not null,
      constraint counters_key primary key (table_name, shard)
    ) ${keyed}`,
    ...counters[database],
  ];
}

function outbox(database: Database): readonly string[] {
  const { integer, moment, key, assigned, strict } = types[database];
  return [
    `create table outbox_receivers (
      id ${assigned},
      consumer ${key} unique,
      url text not null,
      types text,
      secrets text,
      status text not null,
      created_at ${moment} not null
    ) ${strict}`,
    `create table outbox_deliveries (
      id ${assigned},
      receiver_id ${integer} not null references outbox_receivers (id) on delete cascade,
      event_id text not null,
      type text not null,
      subject ${key} not null,
      time ${moment} not null,
      data text not null,
      status ${key} not null default 'pending',
      attempts ${integer} not null default 0,
      changed_at ${moment} not null,
      due_at ${moment} not null,
      answer text
    ) ${strict}`,
    // Those that are due, and whether an earlier one about the same record is to be delivered first.
    `create index outbox_due_index on outbox_deliveries (receiver_id, due_at) where status = 'pending'`,
    `create index outbox_order_index on outbox_deliveries (receiver_id, subject, id) where status = 'pending'`,
  ];
}

/** So that no statement of the outbox reads the rows that it is not about, however many there are. */
function outboxIndexes(database: Database): readonly string[] {
  return [
    `alter table outbox_deliveries add column hold ${types[database].key}`,
    // The rows of a receiver, which are listed, counted and deleted.
    'create index outbox_receiver_index on outbox_deliveries (receiver_id, id)',
    `create index outbox_pending_index on outbox_deliveries (receiver_id, id) where status = 'pending'`,
    `create index outbox_failed_index on outbox_deliveries (receiver_id, id) where status = 'failed'`,
    // Those that expire.
    `create index outbox_settled_index on outbox_deliveries (id) where status <> 'pending'`,
  ];
}

/**
 * The statements of the migrations, by name; a database stores the names that have run. A new migration goes to the end, with the next
 * number; a published one never changes. There are no down migrations, because undoing a migration would lose data. `schema.ts`
 * describes the tables.
 *
 * A migration only expands: the statements of earlier versions still work after it, so that these can run beside this version and be
 * put back. One that cannot keep this rule ends its name with the oldest version that works on its result: `0012_drop_phone>=0.4.0`.
 */
export const migrations: Record<string, (database: Database) => readonly string[]> = {
  '0001_first_release': tables,
  // The application's own fields, by their names in one object. Earlier versions neither read nor change it.
  '0002_stored_fields': (database) =>
    ['users', 'products', 'orders', 'posts', 'comments', 'categories'].map(
      (table) => `alter table ${table} add column stored ${types[database].json}`,
    ),
  '0003_outbox': outbox,
  '0004_outbox_indexes': outboxIndexes,
};

export interface MigrationOptions {
  /** The application's contract, whose fields are kept. Those with `x-filter` get an index when the storage is opened, unless `migrate` is false. */
  readonly contract?: FieldsContract | undefined;
  /** Called with the name of each migration that ran, before the storage is returned. */
  readonly onMigration?: ((name: string) => void) | undefined;
  /** Called with the name of each migration of a later version that has run; this version can use the database nevertheless. */
  readonly onLaterMigration?: ((name: string) => void) | undefined;
  /**
   * False to run no migration: `onMigration` is then called with the names of those that have not run, and `ping` rejects if there
   * are any. Unless given, they run. With `exactly`, indexes of fields by which the contract filters no longer are dropped too: while
   * no process has an earlier contract.
   */
  readonly migrate?: boolean | 'exactly' | undefined;
}
