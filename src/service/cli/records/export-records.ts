/** Exports the records of the store to a file or to the standard output. */

import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { type Id, type Storage, systemClock } from '@concordat/core';
import type { SqlStorage, TableRow } from '@concordat/core/storage/sqlite';
import type { Terminal } from '@concordat/runtime/terminal';
import { type ExportKind, exportKinds } from './kinds.js';
import { progressBar } from './progress-bar.js';

/**
 * @param out - the file; the standard output when undefined
 * @returns the number of records written; the reader may have stopped before the last
 */
export async function exportRecords(
  terminal: Terminal,
  storage: SqlStorage,
  name: keyof typeof exportKinds | 'store',
  out: string | undefined,
  userId?: string,
): Promise<number> {
  let count = 0;
  const kind = name === 'store' ? undefined : exportKinds[name];
  const isWatched = out !== undefined || terminal.stdout.isTTY !== true;
  const bar = isWatched
    ? await progressBar(terminal, await (kind ?? exportKinds.users).total(storage))
    : undefined;
  const onRecords = (records: number): void => {
    count = records;
    bar?.show('exporting', records);
  };
  const text = kind
    ? textOf(kind, storage, onRecords)
    : rowsText(storage.rows.read(userId), userId !== undefined, onRecords);
  try {
    if (out === undefined) await toOutput(text, terminal);
    else await toFile(text, out, kind ? 0o666 : 0o600);
  } finally {
    bar?.end();
  }
  return count;
}

/** @param isUser - whether it is one user, whose earlier tokens must not be valid again when they are given back */
async function* rowsText(
  rows: AsyncIterable<TableRow>,
  isUser: boolean,
  onRecords: (count: number) => void,
): AsyncGenerator<string> {
  let count = 0;
  for await (const { table, row } of rows) {
    const sessions = isUser && table === 'users' && { sessions_from: systemClock.now() };
    yield `${JSON.stringify({ table, row: { ...row, ...sessions } })}\n`;
    onRecords((count += 1));
  }
}

const PAGE = 500;

/**
 * Yields all records of a kind, ascending by id, one page per piece, in constant memory. A record that is written while the export
 * runs may be missing.
 *
 * @param onRecords - called with the number of records so far
 */
async function* textOf(
  { read }: ExportKind,
  storage: Storage,
  onRecords: (count: number) => void,
): AsyncGenerator<string> {
  let after: Id | undefined;
  let count = 0;
  for (;;) {
    const page = await read(storage, { after, limit: PAGE });
    if (page.length > 0) yield page.map((record) => `${JSON.stringify(record)}\n`).join('');
    onRecords((count += page.length));
    if (page.length < PAGE) return;
    after = page.at(-1)?.id;
  }
}

async function toOutput(text: AsyncIterable<string>, { stdout }: Terminal): Promise<void> {
  try {
    await pipeline(text, stdout, { end: false });
  } catch (error) {
    // The reader of the pipe has stopped.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPIPE')) throw error;
  }
}

/** Writes under another name until the file is complete, so that a partial file is not mistaken for a complete one. */
async function toFile(text: AsyncIterable<string>, out: string, mode: number): Promise<void> {
  const part = `${out}.part`;
  try {
    await pipeline(text, createWriteStream(part, { mode }));
    await rename(part, out);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}
