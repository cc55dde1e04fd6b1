/** `generate`: the same bytes twice, or refusals that have a name and a place. */

import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { ContractError } from 'concordat';
import { generateFrom } from '../../src/codegen/generator/generate.js';
import { SINGLE_YAML } from './layout.js';
import { Finding, type Tried, requireNamed } from './tried.js';

type Files = Readonly<Record<string, string>>;

/** So often another feature may come to light when those that were found are accepted. */
const MOST_ROUNDS = 4;

/** @returns the generated files; undefined where the document has a fault that cannot be accepted */
export async function checkGenerate(tried: Tried): Promise<Files | undefined> {
  const { files, accept, refusal } = await generated(tried, tried.file);
  if (accept !== undefined) tried.accept = accept;
  if (tried.file === tried.plain) return files;
  const plain = await generated(tried, tried.plain);
  if ((refusal === undefined) !== (plain.refusal === undefined))
    throw new Finding(
      refusal === undefined
        ? `only as one file it is refused: ${plain.refusal ?? ''}`
        : `only as ${basename(tried.file)} it is refused: ${refusal}`,
    );
  if (files === undefined || plain.files === undefined || !(await isAlike(tried))) return files;
  const renamed = Object.fromEntries(
    Object.entries(files).map(([name, text]) => [name, text.replace(SINGLE_YAML, basename(tried.plain))]),
  );
  const [name = ''] = differences(renamed, plain.files);
  const lines = new Set(plain.files[name]?.split('\n'));
  const line = renamed[name]?.split('\n').find((each) => !lines.has(each));
  if (name !== '') throw new Finding(`YAML generates other bytes than JSON in ${name}: ${String(line)}`);
  return files;
}

/** Whether the names of types are those of the plain document: they may come from files, and what an alias repeats is one type. */
const isAlike = async ({ file }: Tried): Promise<boolean> =>
  basename(file) === SINGLE_YAML && !/ \*a\d+$/m.test(await readFile(file, 'utf8'));

interface Generated {
  readonly files?: Files;
  readonly accept?: readonly string[];
  /** The fault that cannot be accepted. */
  readonly refusal?: string;
}

async function generated({ contract }: Tried, file: string): Promise<Generated> {
  let accept: readonly string[] = [];
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const given = { [typeof contract === 'string' ? 'schema' : 'openapi']: file };
    const options = { ...given, accept, clientTypes: true, standardSchemas: true };
    try {
      const { files } = await generateFrom(options);
      const again = await generateFrom(options);
      const different = differences(files, again.files);
      if (different.length > 0) throw new Finding(`another run has other bytes in ${different.join()}`);
      return { files, accept };
    } catch (error) {
      if (!requireNamed(error) || !(error instanceof ContractError)) throw error;
      const refusal = error.problems.find(({ fault }) => fault !== undefined);
      if (refusal !== undefined) return { refusal: `${String(refusal.fault)}: ${refusal.message}` };
      accept = [...new Set([...accept, ...error.problems.flatMap(({ feature }) => feature ?? [])])];
    }
  }
  throw new Finding('generate asks for ever more features');
}

const differences = (one: Files, other: Files): readonly string[] =>
  Object.keys({ ...one, ...other }).filter((name) => one[name] !== other[name]);
