/** Imports the rows of a file in parts, and goes on where an earlier import of the same file stopped. */

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import {
  type RowRefusal,
  type SqlStorage,
  type TableRow,
  auditEntryOf,
  everyAuditEntry,
  operator,
  systemClock,
} from '@concordat/core';
import { CommandFailure } from '@concordat/runtime/terminal';

export interface ImportJob {
  readonly file: string;
  /** The size of the file. */
  readonly bytes: number;
  readonly storage: SqlStorage;
  /** Whether to check only and store nothing. */
  readonly dryRun: boolean;
  /** Whether to publish the creation of the one user whose rows these are. */
  readonly publish: boolean;
  /** Called with the current round, and the share of it that is done, from 0 to 1. */
  readonly onProgress: (round: 'checking' | 'storing', share: number) => void;
}

export interface ImportReport {
  /** The number of rows that are stored now, with those of earlier imports of the file. */
  readonly imported: number;
  /** The number of rows that earlier imports of the file have stored. */
  readonly earlier: number;
  /** The number of rows in the file. */
  readonly lines: number;
  readonly refused: readonly { readonly line: number; readonly reason: string }[];
}

const REASONS: Readonly<Record<RowRefusal['reason'], string>> = {
  exists: 'Its id or another unique value is in use',
  'not-empty': 'The store is not empty',
  'post-order': 'createdAt must be between those of the posts with the next smaller and greater ids',
  'unknown-table': 'must be of a table of the store',
};

interface NumberedRow extends TableRow {
  readonly line: number;
}

/**
 * Reads the file twice: nothing is stored before every line is known to be a row.
 *
 * @throws CommandFailure for a file that cannot be read, or has a line that is no row
 */
export async function importStore(job: ImportJob): Promise<ImportReport> {
  const { storage, dryRun } = job;
  const { digest, lines, clock, userId } = await checkedFile(job);
  if (dryRun) return { imported: 0, earlier: 0, lines, refused: [] };
  const earlier = await storedEarlier(storage, digest, lines, userId);
  async function* rows(): AsyncGenerator<TableRow> {
    let position = 0;
    for await (const { table, row, parts } of clockFirst(job, clock)) {
      if (position++ < earlier) continue;
      yield { table, row, ...(parts && { parts }) };
    }
  }
  const entryOf = (from: number, to: number) => {
    const detail = `rows ${earlier + from} to ${earlier + to} of ${lines}, ${digest}`;
    const target = userId && `user:${userId}`;
    return auditEntryOf(operator, { action: 'records.import', target, detail }, systemClock.now());
  };
  const result = await storage.rows.write(rows(), entryOf, job.publish ? userId : undefined);
  if (typeof result === 'number') return { imported: earlier + result, earlier, lines, refused: [] };
  let position = 0;
  let refusedLine = 0;
  for await (const { line } of clockFirst(job, clock))
    if (position++ === earlier + result.position) refusedLine = line;
  const refused = [{ line: refusedLine, reason: REASONS[result.reason] }];
  return { imported: earlier + result.written, earlier, lines, refused };
}

async function* rowsOf(
  { file, bytes, onProgress }: ImportJob,
  round: 'checking' | 'storing',
): AsyncGenerator<NumberedRow> {
  for await (const line of readLines(file, (read) => onProgress(round, read / bytes))) {
    const { table, row, parts } = Object(line.value) as Partial<TableRow>;
    if (typeof table !== 'string' || typeof row !== 'object')
      throw new CommandFailure(`Nothing was imported: line ${line.number} is no row of a store`);
    yield { line: line.number, table, row, ...(parts && { parts }) };
  }
}

/** The clock of the posts comes first: posts that are created between the parts get greater ids and later times than all of the file. */
async function* clockFirst(job: ImportJob, clock: NumberedRow | undefined): AsyncGenerator<NumberedRow> {
  if (clock) yield clock;
  for await (const row of rowsOf(job, 'storing')) if (row.table !== 'post_clock') yield row;
}

async function checkedFile(job: ImportJob) {
  const hash = createHash('sha256');
  let lines = 0;
  let users = 0;
  let clock: NumberedRow | undefined;
  let userId: string | undefined;
  for await (const each of rowsOf(job, 'checking')) {
    const { line, ...row } = each;
    hash.update(JSON.stringify(row));
    lines += 1;
    if (row.table === 'users') users += 1;
    if (row.table === 'post_clock') clock = each;
    // The first row of one user is the user; that of a whole store is not.
    if (lines === 1 && row.table === 'users' && row.row['id'] != null) userId = String(row.row['id']);
    else if (job.publish && (row.table === 'users' || userId === undefined))
      throw new CommandFailure(
        `Nothing was imported: --publish is for the file of one user, not line ${line}`,
      );
  }
  if (users > 1) userId = undefined;
  return { digest: hash.digest('hex').slice(0, 32), lines, clock, userId };
}

/** Finds the last entry of the file in the audit log. A user who was deleted again since is given back again. */
async function storedEarlier(
  { audit, users }: SqlStorage,
  digest: string,
  lines: number,
  userId: string | undefined,
): Promise<number> {
  const filter = { ...everyAuditEntry, actor: 'operator', action: 'records.import' };
  const tail = ` of ${lines}, ${digest}`;
  for (let before: string | undefined; ;) {
    const page = await audit.listBefore(filter, before, 500);
    const found = page.find(({ detail }) => detail?.endsWith(tail));
    if (found !== undefined) {
      const isGone = userId !== undefined && (await users.find(userId)) === undefined;
      return isGone ? 0 : Number(/ to (\d+) of /.exec(found.detail ?? '')?.[1] ?? 0);
    }
    before = page.at(-1)?.id;
    if (before === undefined || page.length < 500) return 0;
  }
}

interface Line {
  /** From 1. */
  readonly number: number;
  /** What is on it, of any type; undefined if it is no JSON. */
  readonly value: unknown;
}

/** The maximum number of characters of a line. A record has far fewer, and other files may have no line feed at all. */
const LONGEST = 1_048_576;

/**
 * Reads one JSON value per line, and passes over empty lines.
 *
 * @param onBytes - called with the number of bytes that have been read so far
 * @throws CommandFailure for a file that does not exist or is not UTF-8
 */
export async function* readLines(file: string, onBytes: (bytes: number) => void): AsyncGenerator<Line> {
  let number = 0;
  for await (const line of linesOf(textOf(file, onBytes), LONGEST)) {
    number++;
    if (line?.trim() !== '') yield { number, value: readJson(line) };
  }
}

async function* textOf(file: string, onBytes: (bytes: number) => void): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let bytes = 0;
  try {
    for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
      yield decoder.decode(chunk, { stream: true });
      onBytes((bytes += chunk.length));
    }
    yield decoder.decode();
  } catch (error) {
    if (error instanceof TypeError) throw new CommandFailure(`${file} is not UTF-8`);
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') throw new CommandFailure(`${file} is not there`);
    if (code === 'EISDIR') throw new CommandFailure(`${file} is a directory`);
    throw error;
  }
}

/**
 * Splits a text at line feeds. The part after the last line feed is a line too, and often empty.
 *
 * @param longest - the number of characters up to which a line is kept; a longer one is undefined
 */
async function* linesOf(text: AsyncIterable<string>, longest: number): AsyncGenerator<string | undefined> {
  let parts: string[] = [];
  let length = 0;
  for await (const piece of text) {
    const lines = piece.split('\n').entries();
    for (const [index, part] of lines) {
      if (index > 0) {
        yield length > longest ? undefined : parts.join('');
        parts = [];
        length = 0;
      }
      length += part.length;
      if (length <= longest) parts.push(part);
      else parts = [];
    }
  }
  yield length > longest ? undefined : parts.join('');
}

function readJson(line: string | undefined): unknown {
  try {
    return JSON.parse(line ?? '');
  } catch {
    return undefined;
  }
}
