/** Imports a file: checks every line first, and then stores all of them in one transaction, or none. */

import {
  type Importer,
  type RowRefusal,
  ServiceError,
  type SqlStorage,
  type TableRow,
  asRefusal,
  auditEntryOf,
  operator,
  systemClock,
} from '@concordat/core';
import type { RestContract } from '@concordat/runtime';
import { CommandFailure } from '@concordat/runtime/terminal';
import { type Fields, type Line, StagedRecords, readLines } from './json-lines.js';

/** A kind of records that can be imported. */
export interface ImportKind<Input> {
  /** For the audit log: `users`. */
  readonly name: string;
  /** @throws ServiceError for fields that the contract does not allow */
  readonly read: (fields: Fields, keepsId: boolean, contract: ImportContract) => Input;
  /** Creates the importer that checks the records. */
  readonly importer: (storage: SqlStorage) => Importer<Input>;
}

/** The application's own contract; undefined for the core's. */
export type ImportContract = Pick<RestContract, 'operations' | 'extensions'> | undefined;

export interface ImportJob {
  readonly contract?: ImportContract;
  readonly file: string;
  /** The size of the file. */
  readonly bytes: number;
  readonly storage: SqlStorage;
  /** Whether the records keep the ids of the file. */
  readonly keepIds?: boolean;
  /** Whether to store the accepted lines when others are refused. */
  readonly skipRefused: boolean;
  /** Whether to check only and store nothing. */
  readonly dryRun: boolean;
  /** Whether to publish the creation of the one user whose rows these are. */
  readonly publish?: boolean;
  /** Called with the current round, and the share of it that is done, from 0 to 1. */
  readonly onProgress: (round: ImportRound, share: number) => void;
}

export type ImportRound = 'checking' | 'preparing' | 'storing';

export interface ImportReport {
  readonly imported: number;
  /** The number of records in the file. */
  readonly lines: number;
  readonly refused: readonly RefusedLine[];
}

export interface RefusedLine {
  readonly line: number;
  readonly reason: string;
}

/** The number of lines that are checked together, so that their lookups in the store run concurrently. */
const TOGETHER = 100;

/** The messages for records that the store refuses although they passed the check a moment ago. */
const REASONS: Readonly<Record<RowRefusal['reason'], string>> = {
  exists: 'Its id or another unique value is in use',
  'not-empty': 'The store is not empty',
  'post-order': 'createdAt must be between those of the posts with the next smaller and greater ids',
  'unknown-table': 'must be of a table of the store',
};

/**
 * Imports a file. It is read twice, so that memory holds only the refused lines and the state of the importer. Slow work is
 * done before anything is stored, so that other writers do not wait for checks and password hashes.
 *
 * @throws CommandFailure for a file that cannot be read, or that changes in the meantime
 */
export async function importFile<Input>(kind: ImportKind<Input>, job: ImportJob): Promise<ImportReport> {
  const refused: RefusedLine[] = [];
  let lines = 0;
  for await (const checked of checkedLines(kind, job, 'checking')) {
    for (const { line, outcome } of checked) {
      lines++;
      if (outcome instanceof ServiceError) refused.push({ line, reason: outcome.message });
    }
  }
  refused.sort((a, b) => a.line - b.line);
  if (job.dryRun || (refused.length > 0 && !job.skipRefused)) return { imported: 0, lines, refused };

  const staged = await StagedRecords.open<StagedRecord>();
  try {
    await prepare(kind, job, new Set(refused.map(({ line }) => line)), staged);
    const records = recordsOf(staged.read((share) => job.onProgress('storing', share)));
    const result = await job.storage.rows.write(records, (count) => {
      const detail = `${String(count)} ${kind.name}`;
      return auditEntryOf(operator, { action: 'records.import', detail }, systemClock.now());
    });
    if (typeof result === 'number') return { imported: result, lines, refused };
    const { line = 0 } = (await staged.at(result.position)) ?? {};
    return {
      imported: 0,
      lines,
      refused: [...refused, { line, reason: REASONS[result.reason] }],
    };
  } finally {
    await staged.close();
  }
}

interface StagedRecord {
  readonly line: number;
  readonly record: TableRow;
}

async function* recordsOf(staged: AsyncIterable<StagedRecord>): AsyncGenerator<TableRow> {
  for await (const { record } of staged) yield record;
}

/** Reads and checks the lines again, because they are not kept in memory, and stages those that were not refused. */
async function prepare<Input>(
  kind: ImportKind<Input>,
  job: ImportJob,
  isRefused: ReadonlySet<number>,
  staged: StagedRecords<StagedRecord>,
): Promise<void> {
  const importer = kind.importer(job.storage);
  for await (const checked of checkedLines(kind, job, 'preparing')) {
    const numbers: number[] = [];
    const accepted: TableRow[] = [];
    for (const { line, outcome } of checked) {
      if (isRefused.has(line)) continue;
      if (outcome instanceof ServiceError) {
        throw new CommandFailure(
          `Nothing was imported: line ${line} was accepted before and is refused now: ${outcome.message}`,
        );
      }
      numbers.push(line);
      accepted.push(outcome);
    }
    const ready = (await importer.prepare?.(accepted)) ?? accepted;
    await staged.add(ready.map((record, index) => ({ line: numbers[index] ?? 0, record }))); // one per line
  }
}

interface CheckedLine {
  readonly line: number;
  readonly outcome: TableRow | ServiceError;
}

/** Checks the lines of the file, a few at a time. */
async function* checkedLines<Input>(
  kind: ImportKind<Input>,
  { file, bytes, storage, contract, keepIds = false, onProgress }: ImportJob,
  round: ImportRound,
): AsyncGenerator<readonly CheckedLine[]> {
  const importer = kind.importer(storage);
  const checked = (lines: readonly Line[]) =>
    Promise.all(lines.map((line) => check(kind, importer, line, keepIds, contract)));
  let together: Line[] = [];
  for await (const line of readLines(file, (read) => onProgress(round, read / bytes))) {
    if (together.push(line) < TOGETHER) continue;
    yield await checked(together);
    together = [];
  }
  if (together.length > 0) yield await checked(together);
}

/** Checks a line against the contract, and then against the rules of the services. */
async function check<Input>(
  kind: ImportKind<Input>,
  importer: Importer<Input>,
  line: Line,
  keepIds: boolean,
  contract: ImportContract,
): Promise<CheckedLine> {
  const { number } = line;
  if ('fault' in line) return { line: number, outcome: new ServiceError('invalid-input', line.fault) };
  try {
    const [outcome] = await importer.check([kind.read(line.value, keepIds, contract)]);
    return { line: number, outcome: outcome as TableRow | ServiceError }; // one per input
  } catch (error) {
    return { line: number, outcome: asRefusal(error) };
  }
}

/** Imports the rows of `export store`, in one step: they were checked by the store that they come from. */
export async function importStore({
  file,
  bytes,
  storage,
  dryRun,
  publish = false,
  onProgress,
}: ImportJob): Promise<ImportReport> {
  const lines: number[] = [];
  let userId: string | undefined;
  async function* rows(): AsyncGenerator<TableRow> {
    for await (const line of readLines(file, (read) => onProgress('storing', read / bytes))) {
      const { table, row } = ('value' in line ? line.value : {}) as Partial<TableRow>;
      if (typeof table !== 'string' || typeof row !== 'object')
        throw new CommandFailure(
          `Nothing was imported: line ${line.number} is no row of an export of a store`,
        );
      lines.push(line.number);
      // The first row of one user is the user; that of a whole store is not.
      if (lines.length === 1 && table === 'users') userId = String(row['id']);
      else if (publish && (table === 'users' || userId === undefined))
        throw new CommandFailure('Nothing was imported: --publish is for the file of one user');
      yield { table, row };
    }
  }
  for (const read = rows(); dryRun;) if ((await read.next()).done) break;
  const entryOf = (count: number) => {
    const target = userId && `user:${userId}`;
    const action = { action: 'records.import', target, detail: `${String(count)} rows` } as const;
    return auditEntryOf(operator, action, systemClock.now());
  };
  const result = dryRun ? 0 : await storage.rows.write(rows(), entryOf, () => (publish ? userId : undefined));
  if (typeof result === 'number') return { imported: result, lines: lines.length, refused: [] };
  const refused = [{ line: lines[result.position] ?? 0, reason: REASONS[result.reason] }];
  return { imported: 0, lines: lines.length, refused };
}
