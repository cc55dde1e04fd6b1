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
 * Tries again until the database is free. The pauses let this process do something else, which SQLite's own way of waiting
 * does not; their length is left to chance, so that several who wait do not meet again.
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
