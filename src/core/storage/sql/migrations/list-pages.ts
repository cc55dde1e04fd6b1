/** The sixth migration: the indexes and counters with which every page of every list is found without a scan. */
import { sql, type Kysely } from 'kysely';
import type { ColumnTypes } from './column-types.js';
import { countEachRow, countEachStatement, shards } from './row-counters.js';

type Database = Kysely<unknown>;

const replaced = ['users_role', 'users_status', 'users_city', 'users_role_status', 'users_role_city']
  .concat(['users_status_city', 'users_role_status_city', 'comments_order_id', 'comments_order_user_id'])
  .map((columns) => `${columns}_index`);

/**
 * The indexes of lists. Each has the rows of one filter in the order of their ids; further columns save reading the rows. PostgreSQL has
 * them before this migration runs, unless it is a new database.
 */
export const listIndexes: Readonly<Record<string, readonly [table: string, columns: readonly string[]]>> = {
  users_group_index: ['users', ['role', 'status', 'id']],
  users_city_group_index: ['users', ['city', 'role', 'status', 'id']],
  comments_of_order_index: ['comments', ['order_id', 'id', 'user_id', 'order_user_id']],
  comments_on_orders_of_user_index: ['comments', ['order_user_id', 'id', 'user_id']],
};

/**
 * Replaces the seven indexes of users, one per combination of filters, by two, and counts users by role, status and city too. The
 * counters keep their names and columns, so that an earlier version of this package can run beside this one.
 */
export async function listPages(db: Database, types: ColumnTypes): Promise<void> {
  for (const name of replaced) await db.schema.dropIndex(name).execute();
  for (const [name, [table, columns]] of Object.entries(listIndexes)) {
    const index = db.schema.createIndex(name).ifNotExists().on(table);
    await index.columns([...columns]).execute();
  }
  if (types.database === 'sqlite') await countInSqlite(db);
  else await countInPostgres(db);
}

async function countInSqlite(db: Database): Promise<void> {
  const group = (row: string) => `'users/' || ${row}.role || ' ' || ${row}.status`;
  const namesOf = (row: string) => [group(row), `${group(row)} || '/' || ${row}.city`];
  const add = (row: string, change: number) =>
    namesOf(row).map(
      (name) => `
        insert into counters (table_name, shard, value)
          select ${name}, 0, ${String(change)} where ${name} is not null
          on conflict (table_name, shard) do update set value = value + excluded.value;`,
    );
  // Cities are any text, so a counter does not outlive its last user.
  const remove = (row: string) => [
    ...add(row, -1),
    ...namesOf(row).map((name) => `delete from counters where table_name = ${name} and value = 0;`),
  ];
  for (const [event, changes] of [
    ['insert', add('new', 1)],
    ['delete', remove('old')],
    ['update of role, status, city', [...add('new', 1), ...remove('old')]],
  ] as const) {
    const trigger = `users_count_groups_${event.slice(0, 6)}`;
    await sql
      .raw(`create trigger ${trigger} after ${event} on users begin ${changes.join('')} end`)
      .execute(db);
  }
  for (const name of namesOf('users')) {
    await sql
      .raw(
        `insert into counters (table_name, shard, value)
        select ${name}, 0, count(*) from users where ${name} is not null group by 1`,
      )
      .execute(db);
  }
  await countEachRow(db, ['api_keys']);
  await sql`update counters set value = (select count(*) from api_keys) where table_name = 'api_keys'`.execute(
    db,
  );
}

/**
 * Of users it also counts changes of their role, status or city. An import sets `concordat.counts` to `later` and counts at its end:
 * it would otherwise lock a counter until then, and each of its batches would make another version of the counter.
 */
async function countInPostgres(db: Database): Promise<void> {
  // Users whom others add or change before the triggers exist would not be counted.
  await sql`lock table users, api_keys in share row exclusive mode`.execute(db);
  await sql`
    create function user_counters(role text, status text, city text) returns text[] language sql immutable as $$
      select array_remove(array['users', 'users/' || role || ' ' || status, 'users/' || role || ' ' || status || '/' || city], null)
    $$`.execute(db);
  const added = (changes: string) => `
    insert into counters as counter (table_name, shard, value)
    select name, pg_backend_pid() % ${String(shards)}, sum(change) from (${changes}) as changes
    group by name having sum(change) <> 0 order by name
    on conflict (table_name, shard) do update set value = counter.value + excluded.value`;
  const users = (rows: string, sign = '') => `
    select unnest(user_counters(role, status, city)) as name, ${sign}count(*) as change from ${rows} group by role, status, city`;
  // Cities are any text, so their counters do not outlive their last user. Counters that another transaction has changed stay.
  const dropEmpty = (users: string) => `
    with held as (
      select table_name, shard, value from counters
      where table_name in (select unnest(user_counters(role, status, city)) from ${users}) and table_name like 'users/%/%'
      for update skip locked
    )
    delete from counters as counter using held
    where counter.table_name = held.table_name and counter.shard = held.shard
      and held.table_name in (select table_name from held group by table_name having sum(value) = 0)`;
  const counted = (rows: string, sign = '', name = 'counted') =>
    `select ${name} as name, ${sign}count(*) as change from ${rows}`;
  const changed = (rows: string, sign = '') => counted(rows, sign, 'tg_table_name::text');
  await sql
    .raw(
      `create or replace function count_rows() returns trigger language plpgsql set search_path from current as $$
      begin
        if tg_op = 'TRUNCATE' then
          delete from counters where split_part(table_name, '/', 1) = tg_table_name;
        elsif tg_op = 'INSERT' and current_setting('concordat.counts', true) = 'later' then
          return null;
        elsif tg_table_name = 'users' and tg_op = 'INSERT' then ${added(users('added'))};
        elsif tg_table_name = 'users' and tg_op = 'DELETE' then ${added(users('removed', '-'))};
          ${dropEmpty('removed')};
        elsif tg_op = 'INSERT' then ${added(changed('added'))};
        else ${added(changed('removed', '-'))};
        end if;
        return null;
      end $$`,
    )
    .execute(db);
  await sql
    .raw(
      `create function count_user_change() returns trigger language plpgsql set search_path from current as $$
      begin
        ${added(`
          select unnest(user_counters(new.role, new.status, new.city)) as name, 1 as change
          union all select unnest(user_counters(old.role, old.status, old.city)), -1`)};
        ${dropEmpty('(select old.*) as previous')};
        return null;
      end $$`,
    )
    .execute(db);
  const imported = (table: string) => `${table} where id > last and xmin = own`;
  await sql
    .raw(
      `create function count_import(counted text, last bigint) returns void language plpgsql set search_path from current as $$
      declare
        own xid := (txid_current() % 4294967296)::text::xid;
      begin
        if counted = 'users' then ${added(users(imported('users')))};
        elsif counted = 'orders' then ${added(counted(imported('orders')))};
        elsif counted = 'products' then ${added(counted(imported('products')))};
        end if;
      end $$`,
    )
    .execute(db);
  await sql`
    create trigger users_count_update after update on users for each row
    when ((old.role, old.status, old.city) is distinct from (new.role, new.status, new.city))
    execute function count_user_change()`.execute(db);
  await countEachStatement(db, ['api_keys']);
  await sql`
    insert into counters (table_name, shard, value)
    select name, 0, sum(change) from (${sql.raw(users('users'))}) as counted where name <> 'users' group by name
    union all select 'api_keys', 0, count(*) from api_keys`.execute(db);
}
