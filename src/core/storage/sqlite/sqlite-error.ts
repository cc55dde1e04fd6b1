/** The errors of SQLite, by the names of their result codes. */

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
