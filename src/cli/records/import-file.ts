/** Imports a file: looks at every line first, and stores all of them in one step, or none. */

import { ServiceError } from '../../core/model/error.js';
import type { Storage } from '../../core/ports/storage.js';
import { asRefusal, type Importer } from '../../core/services/import-record.js';
import { CommandFailure } from '../command-failure.js';
import type { Format } from './format.js';
import type { ImportKind } from './import-kinds.js';
import type { Line } from './line.js';
import { readLines } from './read-lines.js';

export interface ImportJob {
  readonly file: string;
  readonly format: Format;
  readonly storage: Storage;
  /** Whether the lines that are not refused are stored all the same. */
  readonly skipRefused: boolean;
  /** Whether nothing is stored. */
  readonly dryRun: boolean;
  /** Told in which of the two rounds the reading is, and how many bytes have been read in it. */
  readonly onProgress: (round: 'checking' | 'storing', bytes: number) => void;
}

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
 * Reads the file twice, so that what is kept in memory is no more than which lines are refused.
 *
 * @throws CommandFailure for a file that cannot be read, or that changes meanwhile
 */
export async function importFile<Input, Checked>(
  kind: ImportKind<Input, Checked>,
  job: ImportJob,
): Promise<ImportReport> {
  const refused: RefusedLine[] = [];
  let lines = 0;
  for await (const { line, outcome } of checkedLines(kind, job, 'checking')) {
    lines++;
    if (outcome instanceof ServiceError) refused.push({ line, reason: outcome.message });
  }
  refused.sort((a, b) => a.line - b.line);
  if (job.dryRun || (refused.length > 0 && !job.skipRefused)) return { imported: 0, lines, refused };

  const isRefused = new Set(refused.map(({ line }) => line));
  const stored: number[] = [];
  async function* records(): AsyncGenerator<Checked> {
    for await (const { line, outcome } of checkedLines(kind, job, 'storing')) {
      if (isRefused.has(line)) continue;
      if (outcome instanceof ServiceError) {
        throw new CommandFailure(`Nothing was imported: line ${line} is not what it was: ${outcome.message}`);
      }
      stored.push(line);
      yield outcome;
    }
  }
  const result = await kind.importer(job.storage).store(records());
  if (typeof result === 'number') return { imported: result, lines, refused };
  const { position, reason } = result;
  return {
    imported: 0,
    lines,
    refused: [...refused, { line: stored[position] ?? 0, reason: REASONS[reason] ?? reason }],
  };
}

interface CheckedLine<Checked> {
  readonly line: number;
  readonly outcome: Checked | ServiceError;
}

async function* checkedLines<Input, Checked>(
  kind: ImportKind<Input, Checked>,
  { file, format, storage, onProgress }: ImportJob,
  round: 'checking' | 'storing',
): AsyncGenerator<CheckedLine<Checked>> {
  const importer = kind.importer(storage);
  const onBytes = (bytes: number): void => onProgress(round, bytes);
  let together: Line[] = [];
  for await (const line of readLines(file, { format, columns: kind.columns, onBytes })) {
    if (together.push(line) < TOGETHER) continue;
    yield* await check(kind, importer, together);
    together = [];
  }
  yield* await check(kind, importer, together);
}

/** First each line by the contract, then those that are left by the rules of the services, all at once. */
async function check<Input, Checked>(
  kind: ImportKind<Input, Checked>,
  importer: Importer<Input, Checked>,
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
