/** Waiting for a SQLite database that another process is writing to. */
import { setTimeout } from 'node:timers/promises';
import { ServiceError } from '../../model/error.js';
import { SqliteError } from './sqlite-error.js';

const patienceMs = 10_000;
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
