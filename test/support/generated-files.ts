/** What is generated from contracts that no test changes, kept in `node_modules/.cache` from one test and one run to the next. */

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type GenerateOptions, generate } from 'concordat';
import { generateFrom } from '../../src/codegen/generator/generate.js';
import { contractsFolder } from './outside-files.js';

type Files = Readonly<Record<string, string>>;

/** A file of the cache. */
interface Entry {
  readonly files: Files;
  /** Digests of the contract and of all files that it refers to. */
  readonly read: Readonly<Record<string, string>>;
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const CACHE = join(root, 'node_modules/.cache/generated');

/** The most entries that are kept. A run of all tests makes some 30. */
const MOST = 100;

/** What decides, beside the contracts, what is generated. */
const GENERATOR = ['src/codegen', 'src/runtime', 'package-lock.json'];

/** The folders whose contracts no test changes. */
const STABLE = [
  join(root, 'test/fixtures'),
  contractsFolder,
  join(root, 'openapi.yaml'),
  join(root, 'schema.graphql'),
];

let generatorDigest: string | undefined;

/** The same as `generate`, except that stable contracts are generated once for each state of the generator. */
export async function generatedFiles(options: GenerateOptions): Promise<Files> {
  const contracts = [options.openapi ?? [], options.schema ?? []].flat().map((path) => resolve(path));
  if (!contracts.every((path) => STABLE.some((stable) => path.startsWith(stable)))) return generate(options);
  generatorDigest ??= digestOf(...GENERATOR.map((path) => join(root, path)));
  const key = [generatorDigest, JSON.stringify(options), digestOf(...contracts)].join('\n');
  const place = join(CACHE, `${createHash('sha256').update(key).digest('hex')}.json`);
  const known = read(place);
  if (known !== undefined) return known;
  const { files, inputs } = await generateFrom(options);
  const entry: Entry = { files, read: Object.fromEntries(inputs.map((path) => [path, digestOf(path)])) };
  mkdirSync(CACHE, { recursive: true });
  for (const old of oldest()) rmSync(join(CACHE, old), { force: true });
  // Renamed, because another process may write or read the same.
  writeFileSync(`${place}.${String(process.pid)}`, JSON.stringify(entry));
  renameSync(`${place}.${String(process.pid)}`, place);
  return files;
}

function read(place: string): Files | undefined {
  try {
    const entry = JSON.parse(readFileSync(place, 'utf8')) as Entry;
    const isCurrent = Object.entries(entry.read).every(([path, digest]) => digestOf(path) === digest);
    return isCurrent ? entry.files : undefined;
  } catch {
    // It is not there, or has just been removed, or refers to a file that is no more.
    return undefined;
  }
}

/** The entries beyond the most that are kept. */
function oldest(): readonly string[] {
  const age = (name: string): number => statSync(join(CACHE, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return readdirSync(CACHE)
    .map((name) => ({ name, at: age(name) }))
    .sort((one, other) => other.at - one.at)
    .slice(MOST)
    .map(({ name }) => name);
}

/** A digest of files, and of all files in folders. */
function digestOf(...paths: readonly string[]): string {
  const hash = createHash('sha256');
  const add = (path: string): void => {
    if (statSync(path).isDirectory()) {
      for (const name of readdirSync(path).sort()) {
        if (name !== 'dist' && name !== 'node_modules') add(join(path, name));
      }
    } else hash.update(`${path}\n`).update(readFileSync(path)).update('\0');
  };
  paths.forEach(add);
  return hash.digest('hex');
}
