/** Compares the migrations that have run on a database with those of this version, which may be older than the database. */
import { ServiceError } from '../../../model/error.js';
import type { SqlTask } from '../query/task.js';
import { migrations } from './migrations.js';

/** The table of the migrations that have run. */
export const migrationTable = 'concordat_migrations';

/** The version of this package; a test compares it with `package.json`. */
export const version = '0.2.0';

export interface MigrationPlan {
  /** The migrations of this version that have not run, in their order. */
  readonly pending: readonly string[];
  /** The migrations that a later version has run. */
  readonly later: readonly string[];
  /** Why this version cannot use the database, not even after the pending migrations. */
  readonly refusal: string | undefined;
}

export function planOf(ran: readonly string[]): MigrationPlan {
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

function outOfOrder([first]: readonly string[], ran: readonly string[]): string | undefined {
  const after = first === undefined ? undefined : ran.find((name) => name > first);
  if (after === undefined) return undefined;
  return `The database is not one of this service, or is damaged: ${after} has run, and ${String(first)} before it has not`;
}

/** The names of the migrations that have run. @param findTable - SQL that returns a row if there is a table with the name of its parameter */
export function* ranMigrations(findTable: string): SqlTask<readonly string[]> {
  const tables = yield { sql: findTable, parameters: [migrationTable] };
  const rows = tables.length === 0 ? [] : yield { sql: `select name from ${migrationTable}`, parameters: [] };
  return (rows as readonly { readonly name: string }[]).map(({ name }) => name);
}

/**
 * Checks that a database has the tables of this version: they may be missing in a restored database, or if it is migrated separately.
 *
 * @throws ServiceError `unavailable` with the names of the migrations that have not run, or with the version that the database needs
 */
export function* requireMigrations(findTable: string): SqlTask<void> {
  const { pending, refusal } = planOf(yield* ranMigrations(findTable));
  if (pending.length === 0 && refusal === undefined) return;
  const verb = pending.length === 1 ? 'has' : 'have';
  const missing = `The tables of the database are out of date: ${pending.join(', ')} ${verb} not run`;
  throw new ServiceError('unavailable', pending.length > 0 ? missing : String(refusal));
}
