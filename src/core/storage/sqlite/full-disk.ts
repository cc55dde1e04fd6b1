/** A disk that is full: what it is called, and whether there is room again. */
import { ServiceError } from '../../model/error.js';
import type { SqliteConnection } from './connection.js';
import { SqliteError } from './sqlite-error.js';

/** As much as a large write needs, in bytes. */
const room = 65_536;

/** @returns the error of a full disk in the core's words; any other error as it is */
export function explainFullDisk(error: unknown): unknown {
  if (!(error instanceof SqliteError) || error.code !== 'SQLITE_FULL') return error;
  return new ServiceError('storage-full', 'The disk of the database is full: try again later', {
    cause: error,
    retryAfterSeconds: 30,
  });
}

/**
 * Writes and removes a table. A read finds nothing wrong with a full disk, and a small write may fit where others do not.
 *
 * @throws SqliteError `SQLITE_FULL` while there is no room
 */
export function requireRoom(connection: SqliteConnection): void {
  connection.begin();
  try {
    connection.execute('create table concordat_room (filler blob)');
    connection.execute(`insert into concordat_room values (zeroblob(${String(room)}))`);
    connection.execute('drop table concordat_room');
    connection.commit();
  } catch (error) {
    connection.rollBack();
    throw error;
  }
}
