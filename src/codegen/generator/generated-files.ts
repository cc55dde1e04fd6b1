/** Writes the generated files, or compares them with the files on disk. */

import { lstat, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { usageFailure } from '@concordat/runtime/terminal';
import { type ContractProblem, ContractError } from '../contract/problems/contract-problem.js';
import { BANNER } from '../text/code.js';
import type { CodegenOptions } from './config-keys.js';
import { generateFrom } from './generate.js';
import type { Generated, GeneratedOperations } from './openapi-files.js';
import { type ListOptions, checkNotServed, listFile } from './not-served.js';
import { progressLine } from '@concordat/runtime/terminal';

export interface Written {
  readonly files: readonly string[];
  /** The files that were missing or out of date. */
  readonly written: readonly string[];
  readonly inputs: readonly string[];
  readonly notices: Generated['notices'];
  /** Sentences about what earlier versions wrote, and is written now only if it is asked for. */
  readonly dropped: readonly string[];
}

/**
 * Generates the files of each API, and writes those that are missing or out of date, if no contract has a problem.
 *
 * @throws ContractError with every problem of the contracts
 */
export async function writeFiles(apis: readonly CodegenOptions[]): Promise<readonly Written[]> {
  const all: (readonly [out: string, generated: Generated])[] = [];
  const problems: ContractProblem[] = [];
  for (const options of apis) {
    try {
      all.push([options.out, await generated(options)]);
    } catch (error) {
      if (!(error instanceof ContractError)) throw error;
      problems.push(...error.problems);
    }
  }
  if (problems.length > 0) throw new ContractError(problems);
  return Promise.all(all.map(([out, made]) => writeTo(out, made)));
}

async function writeTo(out: string, { files, inputs, notices }: Generated): Promise<Written> {
  // A link may lead out of the folder.
  for (const name of [...Object.keys(files), ...replacedNames(files)]) await requireFile(join(out, name));
  const written = await filesToWrite(out, files);
  const dropped = await droppedFrom(out, files);
  await mkdir(out, { recursive: true });
  for (const name of written) await writeFile(join(out, name), files[name] ?? '');
  for (const name of await replacedFiles(out, files)) await rm(join(out, name));
  const path = (name: string): string => join(out, name);
  const all = Object.keys(files).map(path).sort();
  return { files: all, written: written.map(path).sort(), inputs, notices, dropped };
}

/** @throws an Error for a link, and for a folder */
export async function requireFile(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isFile() === false) throw new Error(`${path} is no file, but a link or a folder: remove it.`);
}

/** What `check` finds. */
export interface CheckedFiles {
  readonly error?: ContractError;
  readonly problems: readonly ContractProblem[];
  readonly stale: readonly string[];
  /** A sentence for each operation that is in the wrong place. */
  readonly list: readonly string[];
  readonly notices: Generated['notices'];
}

/**
 * Generates the files of each API, and compares them with those on disk, and the operations with the lists of those that are not served.
 *
 * @returns for each API the problems of its contracts, or else the files that are out of date and the problems of the list
 */
export async function checkFiles(
  apis: readonly CodegenOptions[],
  listOptions: ListOptions = {},
): Promise<readonly CheckedFiles[]> {
  const found: CheckedFiles[] = [];
  // Contracts in one folder share its list.
  const lists = new Map<string, { readonly index: number; readonly operations: GeneratedOperations[] }>();
  for (const [index, options] of apis.entries()) {
    try {
      const { files, notices, operations } = await generated(options);
      const stale = [...(await staleFiles(options.out, files)), ...(await replacedFiles(options.out, files))];
      const paths = stale.map((name) => join(options.out, name)).sort();
      found.push({ problems: [], stale: paths, list: [], notices });
      if (options.openapi === undefined) continue;
      const file = listFile(options.openapi);
      lists.set(file, lists.get(file) ?? { index, operations: [] });
      lists.get(file)?.operations.push(operations);
    } catch (error) {
      if (!(error instanceof ContractError)) throw error;
      found.push({ error, problems: error.problems, stale: [], list: [], notices: [] });
    }
  }
  const isPart = listOptions.isPart ?? found.some(({ error }) => error !== undefined);
  for (const [file, { index, operations }] of lists) {
    const all = {
      generated: operations.flatMap(({ generated }) => generated),
      left: operations.flatMap(({ left }) => left),
    };
    const list = await checkNotServed(file, all, { ...listOptions, isPart });
    found.splice(index, 1, { ...(found[index] as CheckedFiles), list });
  }
  return found;
}

function generated(options: CodegenOptions): Promise<Generated> {
  return generateFrom(options, progressLine('Compiling checks'));
}

/** The names of the generated files that are missing in a directory or differ there. */
async function staleFiles(out: string, files: Generated['files']): Promise<readonly string[]> {
  const stale: string[] = [];
  for (const [name, text] of Object.entries(files))
    if ((await readFile(join(out, name), 'utf8').catch(() => undefined)) !== text) stale.push(name);
  return stale;
}

/**
 * As {@link staleFiles}, to be written.
 *
 * @throws CommandFailure if a file in the place of one of them was not generated: it would be lost
 */
export async function filesToWrite(out: string, files: Generated['files']): Promise<readonly string[]> {
  const stale = await staleFiles(out, files);
  for (const name of stale) {
    const file = join(out, name);
    const found = await readFile(file, 'utf8').catch(() => '');
    if (found.trim() === '' || found.includes(BANNER)) continue;
    throw usageFailure(
      `${file} was not generated: move it, or choose another folder for the generated files`,
    );
  }
  return stale;
}

/** Sentences about what a project may import that is not generated any more, with the option that brings it back. */
async function droppedFrom(out: string, files: Generated['files']): Promise<readonly string[]> {
  const isDropped = await Promise.all(
    OPTIONAL.map(async ({ file, part }) => {
      const path = join(out, file);
      return part.test(await readFile(path, 'utf8').catch(() => '')) && !part.test(files[file] ?? '');
    }),
  );
  return OPTIONAL.filter((_, index) => isDropped[index]).map(
    ({ file, what, option }) =>
      `${join(out, file)}${what}: if you import it, write ${option}: true to codegen.ts, and generate again`,
  );
}

const SCHEMAS_FILE = 'standard-schemas.ts';

const OPTIONAL = [
  {
    file: 'openapi.ts',
    part: /^export (?:interface|type) paths\b/m,
    what: ' has no types paths, operations, webhooks and components of other kinds than schemas any more',
    option: 'clientTypes',
  },
  { file: SCHEMAS_FILE, part: new RegExp(BANNER), what: ' is removed', option: 'standardSchemas' },
] as const;

/**
 * The files that earlier versions wrote, and this one does not. Node would load JavaScript in the place of a TypeScript file, and the
 * compiler its declarations; standard schemas import checks that are not exported without them.
 */
async function replacedFiles(out: string, files: Generated['files']): Promise<readonly string[]> {
  const candidates = replacedNames(files);
  const texts = await Promise.all(
    candidates.map((name) => readFile(join(out, name), 'utf8').catch(() => '')),
  );
  return candidates.filter((name, index) =>
    name === SCHEMAS_FILE ? texts[index]?.includes(BANNER) : texts[index]?.startsWith(`// ${BANNER} from `),
  );
}

function replacedNames(files: Generated['files']): readonly string[] {
  const names = ['validators', 'response-validators', 'values'].filter((name) => `${name}.ts` in files);
  const scripts = names.flatMap((name) => [`${name}.js`, `${name}.d.ts`]);
  return 'openapi.ts' in files && !(SCHEMAS_FILE in files) ? [...scripts, SCHEMAS_FILE] : scripts;
}
