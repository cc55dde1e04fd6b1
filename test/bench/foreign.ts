/**
 * What becomes of contracts as others write them. `npm run bench -- foreign` prints whether files are generated from each of some small documents
 * and of the contracts beside the project, for which operations a sandbox keeps state, which planted faults `verify` finds, and how long `diff`
 * takes; with `generate`, `sandbox`, `faults` or `diff`, one of the tables.
 */

import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { absenceOf, contractsFolder } from '../support/outside-files.js';
import { DOCUMENTS, type ForeignDocument } from './foreign/documents.js';
import { printFaults, printPlantedFaults } from './foreign/faults.js';
import { type ForeignVerdict, fileVerdict } from './foreign/verdict.js';

/** Generates from a document, and accepts the features that stop it. */
export async function foreignVerdict({ openapi, schema }: ForeignDocument): Promise<ForeignVerdict> {
  const directory = await mkdtemp(join(tmpdir(), 'concordat-foreign-'));
  try {
    const file = join(directory, openapi === undefined ? 'schema.graphql' : 'openapi.json');
    await writeFile(file, openapi === undefined ? (schema ?? '') : JSON.stringify(openapi, undefined, 1));
    return await fileVerdict(file);
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** The contracts beside the project. */
const CONTRACTS = [
  ...['discord.json', 'github-rest.openapi-3.0.json', 'museum.yaml', 'petstore-expanded.openapi-3.0.yaml'],
  ...['swapi.graphql', 'train-travel/openapi.yaml'],
  ...[
    ...[
      'asana.yaml',
      'figma.yaml',
      'iceberg.yaml',
      'lago.yaml',
      'linear.graphql',
      'lob.yaml',
      'meilisearch.json',
    ],
    ...['notion.json', 'paypal-orders2.json', 'resend.yaml', 'spotify.yaml', 'twilio-v2010.json'],
  ].map((name) => `third-party/${name}`),
];

/** The most time of a row, in milliseconds. */
const MOST = 300_000;

/** Prints a row for each contract, from a process of its own, and counts the first words of the rows. */
function printRows(kind: string, title: string): void {
  console.log(`\n${title}`);
  const counts = new Map<string, number>();
  for (const name of CONTRACTS.filter((each) => kind !== 'sandbox' || !each.endsWith('.graphql'))) {
    const absence = absenceOf(contractsFolder + name);
    const options = ['--conditions=@concordat/source', '--import', 'tsx', 'test/bench/foreign/rows.ts'];
    const { stdout, stderr, signal } = spawnSync(process.execPath, [...options, kind, name], {
      encoding: 'utf8',
      timeout: MOST,
      maxBuffer: 1e8,
    });
    const ended =
      signal === null
        ? `failed: ${stderr.trim().split('\n').at(-1) ?? ''}`
        : `ended after ${String(MOST / 1000)} s`;
    const row = absence ?? (stdout.trim() || ended);
    const word = row.split('  ')[0] ?? '';
    if (kind === 'generate') counts.set(word, (counts.get(word) ?? 0) + 1);
    console.log(`${name.padEnd(40)}${row}`);
  }
  if (counts.size > 0)
    console.log([...counts].map(([word, count]) => `${word}: ${String(count)}`).join(', '));
}

const [, program = '', table] = process.argv;
if (program.endsWith('foreign.ts')) {
  const has = (name: string): boolean => table === undefined || table === name;
  if (table === undefined) {
    const counts = new Map<string, number>();
    for (const document of DOCUMENTS) {
      const { verdict, why } = await foreignVerdict(document);
      counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
      console.log(`${document.trait.padEnd(52)}${document.seenIn.padEnd(26)}${verdict.padEnd(10)}${why}`);
    }
    console.log([...counts].map(([verdict, count]) => `${verdict}: ${String(count)}`).join(', '));
  }
  if (has('generate'))
    printRows('generate', 'Which contracts generate as they are, and which with accepted features');
  if (has('sandbox')) printRows('sandbox', 'For which operations a sandbox keeps state');
  if (has('faults')) {
    await printFaults();
    await printPlantedFaults();
  }
  if (has('diff')) printRows('diff', 'How long a comparison with a changed copy takes');
}
