/** Compares contracts by the names that the user gave: paths, URLs and files of git revisions. */

import { existsSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, posix, relative } from 'node:path';
import { usageFailure, progressLine } from '@concordat/runtime/terminal';
import type { Change } from './change/change.js';
import type { Place } from '../running/wire-request.js';
import { acceptedFile, needlessEntries, readAccepted } from './accepted.js';
import { type ContractDiff, diffContract, isSdl } from './diff.js';
import type { DiffOptions } from './openapi/diff-openapi.js';
import { ContractError, type SchemaFiles, objectAt, showObject } from 'concordat/contract';

/**
 * @param names - old and new versions, alternating
 * @throws CommandFailure with the exit code for wrong usage when a version cannot be read
 */
export async function diffFiles(
  names: readonly string[],
  options: DiffOptions = {},
): Promise<readonly ContractDiff[]> {
  const diffs: ContractDiff[] = [];
  for (let index = 0; index + 1 < names.length; index += 2) {
    diffs.push(await diffPair(names[index] ?? '', names[index + 1] ?? '', options));
  }
  return diffs;
}

/** The contracts of a configuration, and the version that they are compared with. */
interface Configured {
  readonly openapi?: string;
  readonly schema?: SchemaFiles;
  readonly base?: string;
}

/**
 * @param at - begins a message
 * @returns old and new versions, alternating, and the contracts that the base does not have yet
 * @throws CommandFailure if there is no base, or no such revision
 */
export async function configuredPairs(
  { openapi, schema, base }: Configured,
  at: string,
): Promise<{ readonly names: readonly string[]; readonly added: readonly string[] }> {
  const schemas = [schema ?? []].flat();
  const files = [openapi ?? [], schemas].flat();
  if (base === undefined || files.length === 0) {
    const missing = files.length === 0 ? 'the contracts' : 'the base of diff';
    throw usageFailure(`${at}Name an old and a new version of each contract, or ${missing} in codegen.ts.`);
  }
  if (schemas.length > 1) {
    throw usageFailure(
      `${at}A schema of several files is not compared: name an old and a new version in one file each.`,
    );
  }
  const pairs = await Promise.all(files.map(async (file) => [await baseOf(file, base), file] as const));
  return {
    names: pairs.flatMap(([old, file]) => (old === undefined ? [] : [old, file])),
    added: pairs.flatMap(([old, file]) => (old === undefined ? file : [])),
  };
}

/**
 * Compares the contracts that have accepted breaks with their bases.
 *
 * @returns for each API a sentence for each entry without a change; contracts in one folder share the entries, which the first of them has
 */
export async function needlessSinceBase(
  apis: readonly Configured[],
): Promise<readonly (readonly string[])[]> {
  const diffs: (readonly ContractDiff[])[] = [];
  for (const { openapi, schema, base } of apis) {
    // A schema of several files is not compared.
    const known = { ...(openapi && { openapi }), ...(typeof schema === 'string' && { schema }) };
    const accepting = Object.values(known).filter(
      (file) => readAccepted(acceptedFile({ new: file })).length > 0,
    );
    const isCompared = base !== undefined && accepting.length > 0;
    diffs.push(isCompared ? await diffFiles((await configuredPairs({ ...known, base }, '')).names) : []);
  }
  const needless = needlessEntries(diffs.flat());
  return diffs.map((own) =>
    own.map(acceptedFile).flatMap((file) => {
      const sentences = needless.get(file) ?? [];
      needless.delete(file);
      return sentences;
    }),
  );
}

/** @returns the old version of a contract; undefined if the base has none */
async function baseOf(file: string, base: string): Promise<string | undefined> {
  if (!existsSync(base)) return objectAt(base, file);
  if (!statSync(base).isDirectory()) return isSdl(base) === isSdl(file) ? base : undefined;
  const old = join(base, file);
  return existsSync(old) ? old : undefined;
}

async function diffPair(oldName: string, newName: string, options: DiffOptions): Promise<ContractDiff> {
  const old = await contractFile(oldName);
  try {
    const next = await contractFile(newName);
    try {
      const paths = { old: old.path, new: next.path };
      const allowOrigins = [...(options.allowOrigins ?? []), ...old.folders, ...next.folders];
      const given = { ...options, allowOrigins };
      const found = await diffContract(paths, new Date(), (stage) => progressLine(stage), given);
      const changes = found.changes.map((each) => shown(each, old, next));
      const oldFaults = found.oldFaults?.map((each) => ({ ...each, file: old.shown(each.file) }));
      return { ...found, old: oldName, new: newName, changes, ...(oldFaults && { oldFaults }) };
    } catch (error) {
      if (!(error instanceof ContractError)) throw error;
      throw usageFailure(next.shown(old.shown(error.message)));
    } finally {
      await next.remove();
    }
  } finally {
    await old.remove();
  }
}

function shown(change: Change, old: ContractFile, next: ContractFile): Change {
  const place = (found: Place, { shown: name }: ContractFile) => ({ ...found, file: name(found.file) });
  return {
    ...change,
    ...(change.old && { old: place(change.old, old) }),
    ...(change.new && { new: place(change.new, next) }),
  };
}

interface ContractFile {
  readonly path: string;
  /** The temporary folders that its files are in. */
  readonly folders: readonly string[];
  /** Replaces paths of temporary files in a text by the names that the user gave, such as `main:openapi.yaml`. */
  readonly shown: (path: string) => string;
  readonly remove: () => Promise<void>;
}

/** The references of a document to other files, in YAML and in JSON. */
const REFERENCE = /["']?\$ref["']?\s*:\s*["']?([^\s"'#,}]+)/g;

/**
 * @param name - a path or URL, or `REV:PATH` as for `git show`: `main:openapi.yaml`
 * @throws CommandFailure when git has no such file
 */
async function contractFile(name: string): Promise<ContractFile> {
  const [, revision, given] = /^([^:]+):(.+)$/.exec(name) ?? [];
  if (revision === undefined || given === undefined || existsSync(name) || isAbsoluteUrl(name))
    return { path: name, folders: [], shown: (file) => file, remove: () => Promise.resolve() };
  // Git takes these for paths from the working directory.
  const object = /^\.\.?\//.test(given) ? await objectAt(revision, given) : name;
  const path = posix.normalize((object ?? name).slice(revision.length + 1));
  const directory = await mkdtemp(join(tmpdir(), 'concordat-revision-'));
  const remove = (): Promise<void> => rm(directory, { recursive: true, force: true });
  try {
    await copy(revision, path, directory);
  } catch (error) {
    await remove();
    throw error;
  }
  // The relative path comes first, because it may end with the absolute one: `../../tmp/…`.
  const starts = [relative(process.cwd(), directory), directory];
  const shown = (file: string): string =>
    starts.reduce((text, start) => text.replaceAll(`${start}/`, `${revision}:`), file);
  return { path: join(directory, path), folders: [directory], shown, remove };
}

/** Copies a file and, recursively, the files that it refers to. References to missing files are left for the loader to report. */
async function copy(revision: string, path: string, directory: string): Promise<void> {
  const waiting = [path];
  const seen = new Set(waiting);
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const text = await showObject(`${revision}:${next}`).catch((error: unknown) => {
      if (next === path) throw error;
      return undefined;
    });
    if (text === undefined) continue;
    const target = join(directory, next);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text);
    for (const [, reference = ''] of text.matchAll(REFERENCE)) {
      if (isAbsoluteUrl(reference)) continue;
      const found = posix.join(posix.dirname(next), decodeURI(reference));
      if (seen.has(found) || found.startsWith('..')) continue;
      seen.add(found);
      waiting.push(found);
    }
  }
}

/** Whether a name has one of the schemes that the loader reads; the drive of a Windows path is no scheme. */
function isAbsoluteUrl(name: string): boolean {
  return /^(?:(?:https?|file):\/\/|data:)/.test(name);
}
