/** Whether another process is about to write to a SQLite file. */
import { existsSync } from 'node:fs';
import { DatabaseSync } from '../../../src/core/storage/sqlite/driver.js';

/** @param path of a file that has its tables, or of none yet */
export function isBeingWritten(path: string): boolean {
  if (!existsSync(path)) return false;
  const database = new DatabaseSync(path);
  try {
    const table: unknown = database.prepare("select 1 from sqlite_master where name = 'products'").get();
    if (table === undefined) return false;
    database.exec('begin immediate; rollback');
    return false;
  } catch {
    return true;
  } finally {
    database.close();
  }
}
