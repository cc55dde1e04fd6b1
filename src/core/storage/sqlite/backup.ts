/** Copies of a SQLite database: made while services write to it, and put back while none has it open. They take the place of no file. */
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
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
  const part = partOf(file);
  try {
    closeSync(openSync(part, 'wx', 0o600));
    const source = new SqliteConnection(path);
    try {
      await onceFree(() => source.ask({ sql: 'vacuum into ?', parameters: [resolve(part)] }));
    } finally {
      source.close();
    }
    requireWhole(part, path);
    flush(part);
    if (!addName(part, file)) throw new Error(`${file} exists already`);
  } finally {
    rmSync(part, { force: true });
  }
}

/**
 * Puts a copy in the place of a database that no process has open. The present one is kept as `<path>.replaced`, or with the next number
 * after it.
 *
 * @returns the file in which the present one is kept; undefined if there was none
 * @throws an error that explains why nothing was changed
 */
export function restoreSqlite(file: string, path: string): string | undefined {
  if (!existsSync(file)) throw new Error(`${file} does not exist`);
  const part = partOf(path);
  try {
    copyFileSync(file, part, constants.COPYFILE_EXCL);
    chmodSync(part, 0o600);
    requireWhole(part, file);
    let kept: string | undefined;
    if (existsSync(path)) {
      requireAlone(path);
      kept = keep(path);
    }
    // A log of another database would be applied to this one.
    for (const end of ['-wal', '-shm']) rmSync(path + end, { force: true });
    flush(part);
    renameSync(part, path);
    return kept;
  } finally {
    rmSync(part, { force: true });
  }
}

/** A name for a file that is not complete yet. Two programs may write to the same place at once. */
function partOf(file: string): string {
  return `${file}.${randomUUID()}.part`;
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

/** Hard-links the file under a second name, so that a rename can replace it atomically. @returns the name */
function keep(path: string): string {
  for (let number = 1; ; number += 1) {
    const kept = `${path}.replaced${number === 1 ? '' : `-${String(number)}`}`;
    // A restore that was killed has given it the name already.
    if (existsSync(kept) ? isSameFile(path, kept) : addName(path, kept)) return kept;
  }
}

function isSameFile(one: string, other: string): boolean {
  const [first, second] = [one, other].map((file) => statSync(file, { bigint: true }));
  return first?.ino === second?.ino && first?.dev === second?.dev;
}

/** @returns whether the name was free */
function addName(file: string, name: string): boolean {
  const isTaken = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EEXIST';
  try {
    linkSync(file, name);
  } catch (error) {
    if (isTaken(error)) return false;
    try {
      copyFileSync(file, name, constants.COPYFILE_EXCL); // on a file system without links
    } catch (failure) {
      if (isTaken(failure)) return false;
      throw failure;
    }
  }
  return true;
}

function flush(file: string): void {
  const descriptor = openSync(file, 'r+');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
