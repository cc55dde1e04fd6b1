/**
 * Builds the indexes of migrations before the migrations run. A migration is one transaction, in which PostgreSQL can only build an index
 * while no one writes to its table: for a million rows that takes seconds. `create index concurrently` takes no such lock, and needs to
 * run outside of a transaction.
 */
import { setTimeout } from 'node:timers/promises';
import { MigrationFailure } from '../sql/migrations/migrate.js';
import { listIndexes } from '../sql/migrations/list-pages.js';
import { databaseDeadlines, PostgresConnection, type PostgresPool } from './connection.js';

type Ask = (sql: string, parameters?: readonly unknown[]) => Promise<readonly unknown[]>;

/** Of one process at a time: "concordat" as a number, which no other lock of this package has. */
const LOCK = [0x636f6e63, 0x6f726461];
const PAUSE_MS = 100;

/** The migration that has the indexes. */
const migration = '0006_list_pages';

/**
 * Builds the indexes whose tables exist and that are missing, or that an earlier attempt left unfinished.
 *
 * @param ran - the migrations that have run: nothing is built after the migration itself, since a later version may have other indexes
 */
export async function buildIndexesEarly(pool: PostgresPool, ran: readonly string[]): Promise<void> {
  if (ran.length === 0 || ran.includes(migration)) return;
  const connection = await PostgresConnection.open(pool, 0);
  try {
    const ask: Ask = (sql, parameters = []) => connection.ask({ sql, parameters });
    if ((await missingIndexes(ask)).length > 0) await buildAlone(ask);
  } catch (error) {
    throw new MigrationFailure(migration, error);
  } finally {
    connection.release();
  }
}

/** Other processes that start at the same time wait until the indexes are built. */
async function buildAlone(ask: Ask): Promise<void> {
  // A process that waits inside of `pg_advisory_lock` has a snapshot, for whose end the building of an index waits.
  while ((await ask('select where pg_try_advisory_lock($1, $2)', LOCK)).length === 0)
    await setTimeout(PAUSE_MS);
  try {
    for (const deadline of Object.keys(databaseDeadlines)) await ask(`set ${deadline} = 0`);
    for (const { name, table, columns, isBroken } of await missingIndexes(ask)) {
      if (isBroken) await ask(`drop index concurrently ${name}`);
      await ask(`create index concurrently ${name} on ${table} (${columns.join(', ')})`);
    }
  } finally {
    for (const deadline of Object.keys(databaseDeadlines)) await ask(`reset ${deadline}`);
    await ask('select pg_advisory_unlock($1, $2)', LOCK);
  }
}

interface MissingIndex {
  readonly name: string;
  readonly table: string;
  readonly columns: readonly string[];
  /** Whether it is there, and was not built to its end. */
  readonly isBroken: boolean;
}

async function missingIndexes(ask: Ask): Promise<readonly MissingIndex[]> {
  const rows = (await ask(
    `select relname as name, coalesce(indisvalid, true) as valid from pg_class left join pg_index on indexrelid = pg_class.oid
     where relnamespace = current_schema::regnamespace and relkind in ('r', 'i')`,
  )) as readonly { readonly name: string; readonly valid: boolean }[];
  const found = new Map(rows.map(({ name, valid }) => [name, valid]));
  return Object.entries(listIndexes)
    .filter(([name, [table]]) => found.has(table) && found.get(name) !== true)
    .map(([name, [table, columns]]) => ({ name, table, columns, isBroken: found.has(name) }));
}
