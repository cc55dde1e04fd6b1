/** Copies of a SQLite database: made while services write to it, and put back while none has it open. */
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { resolve } from 'node:path';
import { migrationTable } from '../sql/migrations/migrate.js';
import { SqliteConnection } from './connection.js';
import { isBusy, onceFree } from './errors.js';

/**
 * Writes a consistent copy of a database, with all writes that were acknowledged before the call. Writers do not wait. The copy appears
 * under its name once it is complete, checked and on the disk; only its owner may read it.
 *
 * @throws an error that explains why there is no copy; `file` must not exist
 */
export async function backUpSqlite(path: string, file: string): Promise<void> {
  if (!existsSync(path)) throw new Error(`${path} does not exist`);
  if (existsSync(file)) throw new Error(`${file} exists already`);
  const part = `${file}.part`;
  try {
    rmSync(part, { force: true });
    closeSync(openSync(part, 'w', 0o600));
    const source = new SqliteConnection(path);
    try {
      await onceFree(() => source.ask({ sql: 'vacuum into ?', parameters: [resolve(part)] }));
    } finally {
      source.close();
    }
    requireWhole(part, path);
    putInPlace(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

/**
 * Puts a copy in the place of a database that no process has open. The present one is kept as `<path>.replaced`.
 *
 * @throws an error that explains why nothing was changed
 */
export function restoreSqlite(file: string, path: string): void {
  if (!existsSync(file)) throw new Error(`${file} does not exist`);
  const part = `${path}.part`;
  try {
    copyFileSync(file, part);
    chmodSync(part, 0o600);
    requireWhole(part, file);
    if (existsSync(path)) {
      requireAlone(path);
      keep(path, `${path}.replaced`);
    }
    // A log of another database would be applied to this one.
    for (const end of ['-wal', '-shm']) rmSync(path + end, { force: true });
    putInPlace(part, path);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

/** @throws an error unless the file is a whole database of this package @param named - the file that the error names */
function requireWhole(file: string, named: string): void {
  let problem: string | undefined;
  try {
    const copy = new SqliteConnection(file);
    try {
      const [found] = copy.execute('pragma integrity_check') as readonly {
        readonly integrity_check: string;
      }[];
      if (found?.integrity_check !== 'ok') problem = found?.integrity_check;
      else copy.execute(`select name from ${migrationTable}`);
    } finally {
      copy.close();
    }
  } catch (error) {
    problem = (error as Error).message;
  }
  if (problem !== undefined) throw new Error(`${named} is not a whole database of this service: ${problem}`);
}

/** Ends the write-ahead log of a database, which succeeds only if no other process has it open. */
function requireAlone(path: string): void {
  const present = new SqliteConnection(path);
  try {
    present.execute('pragma journal_mode = delete');
  } catch (error) {
    if (!isBusy(error)) throw error;
    throw new Error(`${path} is in use: stop the service first`, { cause: error });
  } finally {
    present.close();
  }
}

/** Gives a file a second name, so that it is there under its own until another takes its place in one rename. */
function keep(path: string, kept: string): void {
  rmSync(kept, { force: true });
  try {
    linkSync(path, kept);
  } catch {
    copyFileSync(path, kept); // on a file system without links
  }
}

function putInPlace(part: string, file: string): void {
  const descriptor = openSync(part, 'r+');
  fsyncSync(descriptor);
  closeSync(descriptor);
  renameSync(part, file);
}
