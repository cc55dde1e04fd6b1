/** Imports a file: looks at every line first, and stores all of them in one step, or none. */

import { type Importer, type Storage, ServiceError, asRefusal } from '@concordat/core';
import { CommandFailure } from 'concordat/terminal';
import type { Format } from './format.js';
import type { ImportKind } from './import-kinds.js';
import type { Line } from './line.js';
import { readLines } from './read-lines.js';
import { StagedRecords } from './staged-records.js';

export interface ImportJob {
  readonly file: string;
  readonly format: Format;
  /** How large the file is. */
  readonly bytes: number;
  readonly storage: Storage;
  /** Whether the lines that are not refused are stored all the same. */
  readonly skipRefused: boolean;
  /** Whether nothing is stored. */
  readonly dryRun: boolean;
  /** Told which round is under way, and how much of it is done, from 0 to 1. */
  readonly onProgress: (round: ImportRound, share: number) => void;
}

export type ImportRound = 'checking' | 'preparing' | 'storing';

export interface ImportReport {
  readonly imported: number;
  /** How many records the file has. */
  readonly lines: number;
  readonly refused: readonly RefusedLine[];
}

export interface RefusedLine {
  readonly line: number;
  readonly reason: string;
}

/** Lines that are checked together: enough to ask the store for all of them at once. */
const TOGETHER = 100;

/** What a store says that was asked a moment ago and agreed. */
const REASONS: Readonly<Record<string, string>> = {
  'email-taken': 'Email already in use',
  'user-not-found': 'The user of the order is gone',
};

/**
 * Reads the file twice, so that what is kept in memory is no more than which lines are refused and what the importer
 * remembers, and stores what it has made ready: whoever else writes to the store waits for no check and no hash.
 *
 * @throws CommandFailure for a file that cannot be read, or that changes meanwhile
 */
export async function importFile<Input, Checked, Ready>(
  kind: ImportKind<Input, Checked, Ready>,
  job: ImportJob,
): Promise<ImportReport> {
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

  const staged = await StagedRecords.open<StagedRecord<Ready>>();
  try {
    await prepare(kind, job, new Set(refused.map(({ line }) => line)), staged);
    const records = recordsOf(staged.read((share) => job.onProgress('storing', share)));
    const result = await kind.importer(job.storage).store(records);
    if (typeof result === 'number') return { imported: result, lines, refused };
    const { line = 0 } = (await staged.at(result.position)) ?? {};
    return {
      imported: 0,
      lines,
      refused: [...refused, { line, reason: REASONS[result.reason] ?? result.reason }],
    };
  } finally {
    await staged.close();
  }
}

interface StagedRecord<Ready> {
  readonly line: number;
  readonly record: Ready;
}

async function* recordsOf<Ready>(staged: AsyncIterable<StagedRecord<Ready>>): AsyncGenerator<Ready> {
  for await (const { record } of staged) yield record;
}

/** Checks again, because the lines were not kept, and stages those that were not refused. */
async function prepare<Input, Checked, Ready>(
  kind: ImportKind<Input, Checked, Ready>,
  job: ImportJob,
  isRefused: ReadonlySet<number>,
  staged: StagedRecords<StagedRecord<Ready>>,
): Promise<void> {
  const importer = kind.importer(job.storage);
  for await (const checked of checkedLines(kind, job, 'preparing')) {
    const numbers: number[] = [];
    const accepted: Checked[] = [];
    for (const { line, outcome } of checked) {
      if (isRefused.has(line)) continue;
      if (outcome instanceof ServiceError) {
        throw new CommandFailure(`Nothing was imported: line ${line} is not what it was: ${outcome.message}`);
      }
      numbers.push(line);
      accepted.push(outcome);
    }
    const ready = await importer.prepare(accepted);
    await staged.add(ready.map((record, index) => ({ line: numbers[index] ?? 0, record }))); // one for each
  }
}

interface CheckedLine<Checked> {
  readonly line: number;
  readonly outcome: Checked | ServiceError;
}

/** A few lines at a time. */
async function* checkedLines<Input, Checked, Ready>(
  kind: ImportKind<Input, Checked, Ready>,
  { file, format, bytes, storage, onProgress }: ImportJob,
  round: ImportRound,
): AsyncGenerator<readonly CheckedLine<Checked>[]> {
  const importer = kind.importer(storage);
  const onBytes = (read: number): void => onProgress(round, read / bytes);
  let together: Line[] = [];
  for await (const line of readLines(file, { format, columns: kind.columns, onBytes })) {
    if (together.push(line) < TOGETHER) continue;
    yield await check(kind, importer, together);
    together = [];
  }
  if (together.length > 0) yield await check(kind, importer, together);
}

/** First each line by the contract, then those that are left by the rules of the services, all at once. */
async function check<Input, Checked, Ready>(
  kind: ImportKind<Input, Checked, Ready>,
  importer: Importer<Input, Checked, Ready>,
  lines: readonly Line[],
): Promise<readonly CheckedLine<Checked>[]> {
  const inputs: Input[] = [];
  const faults = lines.map((line) => {
    if ('fault' in line) return new ServiceError('invalid-input', line.fault);
    try {
      inputs.push(kind.read(line.value));
      return undefined;
    } catch (error) {
      return asRefusal(error);
    }
  });
  const outcomes = (await importer.check(inputs))[Symbol.iterator]();
  return lines.map(({ number }, index) => ({
    line: number,
    outcome: faults[index] ?? (outcomes.next().value as Checked | ServiceError), // one for each that was read
  }));
}
