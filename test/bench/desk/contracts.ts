/** The contracts of others that the rows use, and folders in which programs run on them. */

import { existsSync, mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../architecture/source-tree.js';

/** Where the contracts of others lie. */
const SHARED = join(ROOT, '../shared/contracts');

/** The path of a contract, or undefined where it is not on this machine. */
export function sharedContract(name: string): string | undefined {
  const file = join(SHARED, name);
  return existsSync(file) ? file : undefined;
}

/** The program `concordat`, as it is built. */
export const CONCORDAT = join(ROOT, 'src/codegen/bin/concordat.js');

/** The program of another checkout in which the packages are built, named by `CONCORDAT_EARLIER`; undefined without it. */
export const EARLIER =
  process.env['CONCORDAT_EARLIER'] === undefined
    ? undefined
    : join(process.env['CONCORDAT_EARLIER'], 'src/codegen/bin/concordat.js');

/** What must be accepted of a contract before anything is generated from it. */
export const ACCEPTED: Readonly<Record<string, readonly string[]>> = {
  'github-rest.openapi-3.0.json': ['undecoded-body', 'default-in-composition'],
  'discord.json': [],
  'museum.yaml': [],
};

/** The arguments that generate from a contract. */
export function generateArgs(name: string, openapi: string, out: string): readonly string[] {
  const accepted = (ACCEPTED[name] ?? []).flatMap((feature) => ['--accept', feature]);
  return [CONCORDAT, 'generate', '--openapi', openapi, '--out', out, '--lenient', ...accepted];
}

/** Calls a function with a folder that sees the packages of this workspace, and removes it afterwards. */
export async function inProject<Result>(use: (directory: string) => Promise<Result>): Promise<Result> {
  const directory = mkdtempSync(join(tmpdir(), 'concordat-desk-'));
  try {
    mkdirSync(join(directory, 'node_modules'));
    for (const name of ['concordat', '@concordat', '@types', 'typescript', 'openapi-typescript'])
      symlinkSync(join(ROOT, 'node_modules', name), join(directory, 'node_modules', name));
    for (const name of ['openapi-fetch', 'openapi-typescript-helpers'])
      symlinkSync(join(ROOT, 'test/bench/peers/node_modules', name), join(directory, 'node_modules', name));
    return await use(directory);
  } finally {
    await rm(directory, { recursive: true });
  }
}
