/**
 * Triggers that maintain row counts, so that a count need not scan a table. Users are also counted by role and status, and by city.
 *
 * In SQLite, where one transaction writes at a time anyway, a count is the value of one row. In PostgreSQL, one row would make all
 * writers wait in line, because each would lock it until its commit. There a count is the sum over 16 rows, and a connection picks its
 * row by its process id: connections rarely wait for each other, and a count reads at most 16 rows.
 */
const counted = ['users', 'orders', 'products', 'comments', 'api_keys'];

/** Cities are any text, so a counter of a city does not outlive its last user. */
function sqliteCounters(): readonly string[] {
  const ofTable = (table: string) => [
    `insert into counters (table_name, shard, value) values ('${table}', 0, 0)`,
    ...(['insert', 'delete'] as const).map(
      (event) => `
      create trigger ${table}_count_${event} after ${event} on ${table} begin
        update counters set value = value ${event === 'insert' ? '+' : '-'} 1 where table_name = '${table}';
      end`,
    ),
  ];
  const group = (row: string) => `'users/' || ${row}.role || ' ' || ${row}.status`;
  const namesOf = (row: string) => [group(row), `${group(row)} || '/' || ${row}.city`];
  const add = (row: string, change: number) =>
    namesOf(row).map(
      (name) => `
        insert into counters (table_name, shard, value)
          select ${name}, 0, ${String(change)} where ${name} is not null
          on conflict (table_name, shard) do update set value = value + excluded.value;`,
    );
  const remove = (row: string) => [
    ...add(row, -1),
    ...namesOf(row).map((name) => `delete from counters where table_name = ${name} and value = 0;`),
  ];
  const ofGroups = (name: string, event: string, changes: readonly string[]) =>
    `create trigger users_count_groups_${name} after ${event} on users begin ${changes.join('')} end`;
  return [
    ...counted.flatMap(ofTable),
    ofGroups('insert', 'insert', add('new', 1)),
    ofGroups('delete', 'delete', remove('old')),
    ofGroups('update', 'update of role, status, city', [...add('new', 1), ...remove('old')]),
  ];
}

/**
 * An import sets `concordat.counts` to `later` and counts at its end: it would otherwise lock a counter until then, and each of its
 * batches would make another version of the counter. The functions keep the current search path, because a connection that writes may
 * have another one.
 */
function postgresCounters(): readonly string[] {
  const add = (changes: string) => `
    insert into counters as counter (table_name, shard, value)
    select name, pg_backend_pid() % 16, sum(change) from (${changes}) as changes
    group by name having sum(change) <> 0 order by name
    on conflict (table_name, shard) do update set value = counter.value + excluded.value`;
  const users = (rows: string, sign = '') => `
    select unnest(user_counters(role, status, city)) as name, ${sign}count(*) as change from ${rows} group by role, status, city`;
  const rowsOf = (rows: string, name: string, sign = '') =>
    `select ${name} as name, ${sign}count(*) as change from ${rows}`;
  const changed = (rows: string, sign = '') => rowsOf(rows, 'tg_table_name::text', sign);
  const imported = (table: string) => `${table} where id > last and xmin = own`;
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
  return [
    `create function user_counters(role text, status text, city text) returns text[] language sql immutable as $$
      select array_remove(array['users', 'users/' || role || ' ' || status, 'users/' || role || ' ' || status || '/' || city], null)
    $$`,
    `create function count_rows() returns trigger language plpgsql set search_path from current as $$
    begin
      if tg_op = 'TRUNCATE' then
        delete from counters where split_part(table_name, '/', 1) = tg_table_name;
      elsif tg_op = 'INSERT' and current_setting('concordat.counts', true) = 'later' then
        return null;
      elsif tg_table_name = 'users' and tg_op = 'INSERT' then ${add(users('added'))};
      elsif tg_table_name = 'users' and tg_op = 'DELETE' then ${add(users('removed', '-'))};
        ${dropEmpty('removed')};
      elsif tg_op = 'INSERT' then ${add(changed('added'))};
      else ${add(changed('removed', '-'))};
      end if;
      return null;
    end $$`,
    `create function count_user_change() returns trigger language plpgsql set search_path from current as $$
    begin
      ${add(`
        select unnest(user_counters(new.role, new.status, new.city)) as name, 1 as change
        union all select unnest(user_counters(old.role, old.status, old.city)), -1`)};
      ${dropEmpty('(select old.*) as previous')};
      return null;
    end $$`,
    `create function count_import(counted text, last bigint) returns void language plpgsql set search_path from current as $$
    declare
      own xid := (txid_current() % 4294967296)::text::xid;
    begin
      if counted = 'users' then ${add(users(imported('users')))};
      elsif counted = 'orders' then ${add(rowsOf(imported('orders'), 'counted'))};
      elsif counted = 'products' then ${add(rowsOf(imported('products'), 'counted'))};
      end if;
    end $$`,
    `create trigger users_count_update after update on users for each row
      when ((old.role, old.status, old.city) is distinct from (new.role, new.status, new.city))
      execute function count_user_change()`,
    ...counted.flatMap((table) =>
      [
        ['insert', 'referencing new table as added'],
        ['delete', 'referencing old table as removed'],
        ['truncate', ''],
      ].map(
        ([event = '', rows = '']) =>
          `create trigger ${table}_count_${event} after ${event} on ${table} ${rows}
          for each statement execute function count_rows()`,
      ),
    ),
  ];
}

/** The statements that begin to count the rows of the empty tables. */
export const counters = { sqlite: sqliteCounters(), postgres: postgresCounters() } as const;
