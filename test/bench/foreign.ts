/**
 * What becomes of contracts as others write them: whether files are generated from each of some small documents as it is, with which names
 * accepted, or why not. `npm run bench -- foreign`, and with `sandbox` the operations that a mock keeps state for.
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ContractError, generate } from 'concordat';
import { DOCUMENTS, type ForeignDocument } from './foreign/documents.js';
import { printFaults, printPlantedFaults } from './foreign/faults.js';
import { printSandbox } from './foreign/sandbox.js';

/** What becomes of a document. */
export interface ForeignVerdict {
  readonly verdict: 'as it is' | 'accepted' | 'refused';
  /** The names of the accepted features, or the first sentence of a refusal. */
  readonly why: string;
}

/** Generates from a document, and accepts the features that stop it. */
export async function foreignVerdict({ openapi, schema }: ForeignDocument): Promise<ForeignVerdict> {
  const directory = await mkdtemp(join(tmpdir(), 'concordat-foreign-'));
  try {
    const file = join(directory, openapi === undefined ? 'schema.graphql' : 'openapi.json');
    await writeFile(file, openapi === undefined ? (schema ?? '') : JSON.stringify(openapi, undefined, 1));
    const stopped = (accept: readonly string[]): Promise<ContractError | undefined> =>
      generate({ accept, ...(openapi === undefined ? { schema: file } : { openapi: file }) }).then(
        () => undefined,
        (error: unknown) => {
          if (error instanceof ContractError) return error;
          throw error;
        },
      );
    const first = await stopped([]);
    if (first === undefined) return { verdict: 'as it is', why: '' };
    const names = [...new Set(first.problems.flatMap(({ feature }) => feature ?? []))];
    const second = first.problems.some(({ fault }) => fault !== undefined) ? first : await stopped(names);
    if (second === undefined) return { verdict: 'accepted', why: names.join(', ') };
    const [problem] = second.problems;
    return { verdict: 'refused', why: `${problem?.fault ?? ''}: ${problem?.message ?? ''}` };
  } finally {
    await rm(directory, { recursive: true });
  }
}

if (process.argv[1]?.endsWith('foreign.ts') && process.argv[2] === 'sandbox') await printSandbox();
else if (process.argv[1]?.endsWith('foreign.ts')) {
  const counts = new Map<string, number>();
  for (const document of DOCUMENTS) {
    const { verdict, why } = await foreignVerdict(document);
    counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
    console.log(`${document.trait.padEnd(52)}${document.seenIn.padEnd(26)}${verdict.padEnd(10)}${why}`);
  }
  console.log([...counts].map(([verdict, count]) => `${verdict}: ${String(count)}`).join(', '));
  await printFaults();
  await printPlantedFaults();
  await printSandbox(false);
}
