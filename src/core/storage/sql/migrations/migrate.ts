/** Runs the migrations that a database lacks, or finds out which these are. The database may be newer than this version. */
import { ServiceError } from '../../../model/error.js';
import { keptFieldsOf } from '../../../model/stored.js';
import type { Database, Query } from '../query/query.js';
import type { SqlTask } from '../query/runner.js';
import { storedIndexes, storedIndexName } from '../query/stored.js';
import { migrations, type MigrationOptions } from './migrations.js';

/** The version of this package; a test compares it with `package.json`. */
const version = '0.3.0';

/** The table of the migrations that have run. Its own name lets an application with Kysely migrations share the database. */
export const migrationTable = 'concordat_migrations';

/** The failure of a migration, of which nothing remains. */
class MigrationFailure extends Error {
  override readonly name = 'MigrationFailure';

  constructor(migration: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`The migration ${migration} failed, and no migration was carried out: ${reason}`, { cause });
  }
}

interface MigrationPlan {
  /** The migrations of this version that have not run, in their order. */
  readonly pending: readonly string[];
  /** The migrations that a later version has run. */
  readonly later: readonly string[];
  /** Why this version cannot use the database, not even after the pending migrations. */
  readonly refusal: string | undefined;
}

/** @param ran - the names of the migrations that have run */
function planOf(ran: readonly string[]): MigrationPlan {
  const pending = Object.keys(migrations).filter((name) => !ran.includes(name));
  const later = ran.filter((name) => !(name in migrations)).sort();
  return { pending, later, refusal: tooOld(later) ?? outOfOrder(pending, ran) };
}

function tooOld(later: readonly string[]): string | undefined {
  for (const name of later) {
    const [, minimum] = />=(\d+\.\d+\.\d+)$/.exec(name) ?? [];
    if (minimum === undefined || !isBefore(version, minimum)) continue;
    return `The database needs version ${minimum} or later, because ${name} has run; this is version ${version}`;
  }
  return undefined;
}

function isBefore(one: string, other: string): boolean {
  const [first, second] = [one, other].map((each) => each.split('.').map(Number)) as [number[], number[]];
  const place = first.findIndex((number, index) => number !== second[index]);
  return place >= 0 && Number(first[place]) < Number(second[place]);
}

/** The first migration of all versions before the first release. */
const firstOfDevelopment = '0001_initial';

function outOfOrder([first]: readonly string[], ran: readonly string[]): string | undefined {
  if (ran.includes(firstOfDevelopment))
    return `The database is of a development version before the first release (${firstOfDevelopment} has run), which no release can migrate: export its records with the version that made it, make rows of them, and import these into an empty database`;
  const after = first === undefined ? undefined : ran.find((name) => name > first);
  if (after === undefined) return undefined;
  return `The database is damaged, or was restored in part: ${after} has run, and ${String(first)} before it has not; restore a whole copy`;
}

const foreign =
  'The database has a table users that this service has not made: use an empty database, or on PostgreSQL an empty schema';

const allIndexes = {
  sqlite: "select name from sqlite_master where type = 'index'",
  postgres: 'select indexname as name from pg_indexes where schemaname = current_schema()',
} as const satisfies Record<Database, string>;

/** The plan for a database. @param findTable - SQL that returns a row if there is a table with the name of its parameter */
function* readPlan(findTable: string): SqlTask<MigrationPlan> {
  const find = (table: string): Query => ({ sql: findTable, parameters: [table] });
  let found = yield find(migrationTable);
  if (found.length === 0 && (yield find('users')).length > 0) {
    // Another process may have migrated since the first look.
    found = yield find(migrationTable);
    if (found.length === 0) return { ...planOf([]), refusal: foreign };
  }
  const rows = found.length === 0 ? [] : yield { sql: `select name from ${migrationTable}`, parameters: [] };
  return planOf((rows as readonly { readonly name: string }[]).map(({ name }) => name));
}

/**
 * Checks that a database has the tables of this version: they may be missing in a restored database, or if it is migrated separately.
 *
 * @throws ServiceError `unavailable` with the names of the migrations that have not run, or with the version that the database needs
 */
export function* requireMigrations(findTable: string): SqlTask<void> {
  const { pending, refusal } = yield* readPlan(findTable);
  if (pending.length === 0 && refusal === undefined) return;
  const verb = pending.length === 1 ? 'has' : 'have';
  const missing = `The tables of the database are out of date: ${pending.join(', ')} ${verb} not run`;
  throw new ServiceError('unavailable', pending.length > 0 ? missing : String(refusal));
}

/**
 * Runs the migrations that have not run yet.
 *
 * @param ask - in a transaction in which no other process migrates; it only reads without `migrate`
 * @param findTable - see {@link readPlan}
 * @returns what to call once the transaction has been committed
 * @throws MigrationFailure; an error that says why this version cannot use the database
 */
export async function migrateToLatest(
  database: Database,
  ask: (query: Query) => readonly unknown[] | Promise<readonly unknown[]>,
  findTable: string,
  { onMigration, onLaterMigration, migrate = true, contract }: MigrationOptions = {},
): Promise<() => void> {
  const reading = readPlan(findTable);
  let next = reading.next([]);
  while (next.done !== true) next = reading.next(await ask(next.value));
  const { pending, later, refusal } = next.value;
  if (refusal !== undefined) throw new Error(refusal);
  if (migrate && pending.length > 0) {
    const columns = 'name varchar(255) not null primary key, timestamp varchar(255) not null';
    await ask({ sql: `create table if not exists ${migrationTable} (${columns})`, parameters: [] });
    for (const name of pending) {
      const ran = `insert into ${migrationTable} values ('${name}', '${new Date().toISOString()}')`;
      try {
        for (const sql of [...(migrations[name]?.(database) ?? []), ran]) await ask({ sql, parameters: [] });
      } catch (error) {
        throw new MigrationFailure(name, error);
      }
    }
  }
  const dropped: string[] = [];
  if (migrate) {
    const indexes = storedIndexes(database, keptFieldsOf(contract));
    for (const [name, sql] of indexes) {
      // Not `if not exists`, which would wait for all writers at each start.
      const found = await ask({ sql: findTable, parameters: [name] });
      if (found.length === 0) await ask({ sql, parameters: [] });
    }
    if (migrate === 'exactly' && contract !== undefined) {
      const rows = (await ask({ sql: allIndexes[database], parameters: [] })) as readonly { name: string }[];
      dropped.push(
        ...rows.map(({ name }) => name).filter((name) => storedIndexName.test(name) && !indexes.has(name)),
      );
      for (const name of dropped) await ask({ sql: `drop index ${name}`, parameters: [] });
    }
  }
  return () => {
    for (const name of later) onLaterMigration?.(name);
    for (const name of pending) onMigration?.(name);
    for (const name of dropped) onMigration?.(`drop index ${name}`);
  };
}
