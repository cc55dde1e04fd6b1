/** Checks that a database has the tables of this version: they may be missing in a restored database, or if it is migrated separately. */
import { ServiceError } from '../../../model/error.js';
import type { SqlTask } from '../query/task.js';
import { migrations, migrationTable } from './migrations.js';

/**
 * @param findTable - SQL that returns a row if there is a table with the name of its parameter
 * @throws ServiceError `unavailable` with the names of the migrations that have not run
 */
export function* requireMigrations(findTable: string): SqlTask<void> {
  const tables = yield { sql: findTable, parameters: [migrationTable] };
  const rows = tables.length === 0 ? [] : yield { sql: `select name from ${migrationTable}`, parameters: [] };
  const ran = new Set((rows as readonly { readonly name: string }[]).map(({ name }) => name));
  const missing = Object.keys(migrations).filter((name) => !ran.has(name));
  if (missing.length === 0) return;
  const verb = missing.length === 1 ? 'has' : 'have';
  const reason = `The tables of the database are out of date: ${missing.join(', ')} ${verb} not run`;
  throw new ServiceError('unavailable', reason);
}
