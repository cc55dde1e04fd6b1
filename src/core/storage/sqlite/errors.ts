/** The errors of SQLite, and waiting for a database that another process is writing to. */
import { setTimeout } from 'node:timers/promises';
import { ServiceError } from '../../model/error.js';

export class SqliteError extends Error {
  override readonly name = 'SqliteError';

  /** @param code the name of SQLite's result code, such as `SQLITE_BUSY` */
  constructor(
    message: string,
    readonly code: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** `StatementSync.all` throws SQLite's message for a result code without the code. The messages are fixed (`sqlite3ErrStr`). */
const codesByMessage = new Map([
  ['database is locked', 'SQLITE_BUSY'],
  ['database or disk is full', 'SQLITE_FULL'],
  ['disk I/O error', 'SQLITE_IOERR'],
  ['database disk image is malformed', 'SQLITE_CORRUPT'],
  ['attempt to write a readonly database', 'SQLITE_READONLY'],
  ['file is not a database', 'SQLITE_NOTADB'],
]);

/** @returns the error as a SqliteError when SQLite raised it, else the error itself */
export function sqliteErrorOf(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_SQLITE_ERROR') return error;
  const known = 'sqliteCodeName' in error ? String(error.sqliteCodeName) : codesByMessage.get(error.message);
  return new SqliteError(error.message, known ?? 'SQLITE_ERROR', { cause: error });
}

export const patienceMs = 10_000;
const longestPauseMs = 10;

export function isBusy(error: unknown): boolean {
  return error instanceof SqliteError && error.code === 'SQLITE_BUSY';
}

/**
 * Retries until the database is free. During the pauses this process can do other work, unlike with SQLite's own busy timeout.
 * Their length is random, so that several waiting processes do not collide again.
 *
 * @throws ServiceError `unavailable` when it was not free for ten seconds
 */
export async function onceFree<T>(work: () => T): Promise<T> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (performance.now() > deadline) {
        throw new ServiceError('unavailable', 'The database is busy: try again later', { cause: error });
      }
    }
    await setTimeout(Math.random() * longestPauseMs);
  }
}
