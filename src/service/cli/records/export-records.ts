/** Exports the records of the store to a file or to the standard output. */

import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { type Storage, everyOrder, everyUser } from '@concordat/core';
import type { Terminal } from 'concordat/terminal';
import { exportKinds } from './export-kinds.js';
import { exportText } from './export-text.js';
import type { Format } from './format.js';
import { progressBar } from './progress-bar.js';

export interface ExportJob {
  readonly kind: keyof typeof exportKinds;
  readonly format: Format;
  readonly storage: Storage;
  /** The file; the standard output when there is none. */
  readonly out?: string;
}

/** @returns the number of records written; the reader may have stopped before the last */
export async function exportRecords(
  terminal: Terminal,
  { kind, format, storage, out }: ExportJob,
): Promise<number> {
  let count = 0;
  const isWatched = out !== undefined || terminal.stdout.isTTY !== true;
  const bar = isWatched ? await progressBar(terminal, await totalOf(storage, kind)) : undefined;
  const text = exportText(exportKinds[kind], format, storage, (records) => {
    count = records;
    bar?.show('exporting', records);
  });
  try {
    if (out === undefined) await toOutput(text, terminal);
    else await toFile(text, out);
  } finally {
    bar?.end();
  }
  return count;
}

/** Posts are not counted; their progress is shown by id. */
async function totalOf(
  { users, products, orders, posts }: Storage,
  kind: ExportJob['kind'],
): Promise<number> {
  switch (kind) {
    case 'users':
      return await users.count(everyUser);
    case 'products':
      return await products.count();
    case 'orders':
      return await orders.count(everyOrder);
    case 'posts':
      return Number((await posts.listBefore(undefined, 1))[0]?.id ?? 0);
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
async function toFile(text: AsyncIterable<string>, out: string): Promise<void> {
  const part = `${out}.part`;
  try {
    await pipeline(text, createWriteStream(part));
    await rename(part, out);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}
