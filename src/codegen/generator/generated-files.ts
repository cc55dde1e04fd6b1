/** Writes the generated files, or compares them with the files on disk. */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ContractProblem, ContractError } from '../problems/contract-problem.js';
import { type CodegenOptions } from './config.js';
import { generateFrom } from './generate.js';
import type { Generated } from './openapi-files.js';
import { progressLine } from './progress-line.js';

export interface Written {
  readonly files: readonly string[];
  /** The files that were missing or out of date. */
  readonly written: readonly string[];
  readonly inputs: readonly string[];
  readonly notices: Generated['notices'];
}

/**
 * Generates the files, and writes those that are missing or out of date.
 *
 * @throws ContractError with every problem of the contracts
 */
export async function writeFiles(options: CodegenOptions): Promise<Written> {
  const { files, inputs, notices } = await generated(options);
  const written = await staleFiles(options.out, files);
  await mkdir(options.out, { recursive: true });
  for (const name of written) await writeFile(join(options.out, name), files[name] ?? '');
  const path = (name: string): string => join(options.out, name);
  return { files: Object.keys(files).map(path).sort(), written: written.map(path).sort(), inputs, notices };
}

/**
 * Generates the files, and compares them with those on disk.
 *
 * @returns the problems of the contracts, or else the files that are out of date
 */
export async function checkFiles(options: CodegenOptions): Promise<{
  readonly error?: ContractError;
  readonly problems: readonly ContractProblem[];
  readonly stale: readonly string[];
  readonly notices: Generated['notices'];
}> {
  try {
    const { files, notices } = await generated(options);
    const stale = await staleFiles(options.out, files);
    return { problems: [], stale: stale.map((name) => join(options.out, name)).sort(), notices };
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    return { error, problems: error.problems, stale: [], notices: [] };
  }
}

function generated(options: CodegenOptions): Promise<Generated> {
  return generateFrom(options, progressLine('Compiling checks'));
}

/** The names of the generated files that are missing in a directory or differ there. */
export async function staleFiles(out: string, files: Generated['files']): Promise<readonly string[]> {
  const stale: string[] = [];
  for (const [name, text] of Object.entries(files)) {
    if ((await readFile(join(out, name), 'utf8').catch(() => undefined)) !== text) stale.push(name);
  }
  return stale;
}
