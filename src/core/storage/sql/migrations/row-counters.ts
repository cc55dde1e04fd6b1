/** Triggers that maintain row counts, so that a count need not scan a table. */
import { sql, type Kysely } from 'kysely';
import type { ColumnTypes } from './column-types.js';

/**
 * In SQLite, where one transaction writes at a time anyway, a count is the value of one row. In PostgreSQL, one row would
 * make all writers wait in line, because each would lock it until its commit. There a count is the sum over 16 rows, and a
 * connection picks its row by its process id: connections rarely wait for each other, and a count reads at most 16 rows.
 */
export const shards = 16;

export async function countRows(
  db: Kysely<unknown>,
  types: ColumnTypes,
  tables: readonly string[],
): Promise<void> {
  await db.schema
    .createTable('counters')
    .addColumn('table_name', types.key, (column) => column.notNull())
    .addColumn('shard', types.integer, (column) => column.notNull())
    .addColumn('value', types.integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('counters_key', ['table_name', 'shard'])
    .modifyEnd(types.keyedTable)
    .execute();
  if (types.database === 'sqlite') await countEachRow(db, tables);
  else await countInPostgres(db, tables);
}

/** In SQLite. */
export async function countEachRow(db: Kysely<unknown>, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    await sql`insert into counters (table_name, shard, value) values (${sql.lit(table)}, 0, 0)`.execute(db);
    for (const [event, change] of [
      ['insert', 1],
      ['delete', -1],
    ] as const) {
      await sql`
        create trigger ${sql.ref(`${table}_count_${event}`)} after ${sql.raw(event)} on ${sql.table(table)} begin
          update counters set value = value + ${sql.lit(change)} where table_name = ${sql.lit(table)};
        end`.execute(db);
    }
  }
}

async function countInPostgres(db: Kysely<unknown>, tables: readonly string[]): Promise<void> {
  // The function keeps the current search path, because a connection that writes may have another one.
  await sql`
    create function count_rows() returns trigger language plpgsql set search_path from current as $$
    declare
      change bigint;
    begin
      if tg_op = 'TRUNCATE' then
        delete from counters where table_name = tg_table_name;
        return null;
      elsif tg_op = 'INSERT' then
        select count(*) into change from added;
      else
        select -count(*) into change from removed;
      end if;
      if change <> 0 then
        insert into counters as counter (table_name, shard, value)
        values (tg_table_name, pg_backend_pid() % ${sql.lit(shards)}, change)
        on conflict (table_name, shard) do update set value = counter.value + excluded.value;
      end if;
      return null;
    end $$`.execute(db);
  await countEachStatement(db, tables);
}

/** In PostgreSQL, by the function `count_rows`. */
export async function countEachStatement(db: Kysely<unknown>, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    for (const [event, rows] of [
      ['insert', sql`referencing new table as added`],
      ['delete', sql`referencing old table as removed`],
      ['truncate', sql``],
    ] as const) {
      await sql`
        create trigger ${sql.ref(`${table}_count_${event}`)} after ${sql.raw(event)} on ${sql.table(table)} ${rows}
        for each statement execute function count_rows()`.execute(db);
    }
  }
}
