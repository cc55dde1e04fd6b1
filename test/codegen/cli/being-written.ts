/** Whether another process is about to write to a SQLite file. */
import { existsSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';

/** @param path of a file that has its tables, or of none yet */
export function isBeingWritten(path: string): boolean {
  if (!existsSync(path)) return false;
  const database = new BetterSqlite3(path, { timeout: 0 });
  try {
    const [table] = database.prepare("select 1 from sqlite_master where name = 'products'").all();
    if (table === undefined) return false;
    database.exec('begin immediate; rollback');
    return false;
  } catch {
    return true;
  } finally {
    database.close();
  }
}
