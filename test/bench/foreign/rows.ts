/** Prints a row of a table about a contract beside the project, in a process of its own: `rows.ts generate FILE`. */

import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseYaml } from '@redocly/openapi-core';
import { sandboxOf } from '../../../src/tools/mock/mock-handlers.js';
import { runContract } from '../../../src/tools/running/running-contract.js';
import { diffContract } from '../../../src/tools/diff/diff.js';
import { contractsFolder } from '../../support/outside-files.js';
import { fileVerdict } from './verdict.js';
import { sandboxLines } from './sandbox.js';

/** Each kind of row: what it says of a contract. */
const ROWS: Readonly<Record<string, (name: string) => Promise<string>>> = {
  async generate(name) {
    const { verdict, why } = await fileVerdict(contractsFolder + name);
    return `${verdict}  ${why.slice(0, 160)}`;
  },

  async sandbox(name) {
    const lines = sandboxOf(await runContract(contractsFolder + name)).explained();
    return sandboxLines(name, lines).join('\n');
  },

  async diff(name) {
    const directory = await mkdtemp(join(tmpdir(), 'concordat-changed-'));
    try {
      const file = contractsFolder + name;
      const copy = join(directory, name.endsWith('.graphql') ? 'new.graphql' : 'new.json');
      await writeFile(copy, changedCopy(readFileSync(file, 'utf8'), name.endsWith('.graphql')));
      const options = { allowOrigins: [directory, dirname(file)] };
      const before = process.cpuUsage();
      const { changes } = await diffContract({ old: file, new: copy }, new Date(), undefined, options);
      const breaking = changes.filter(({ client }) => client.severity === 'breaking').length;
      const { user, system } = process.cpuUsage(before);
      return `${((user + system) / 1e6).toFixed(1)} s of CPU, ${String(changes.length)} changes, ${String(breaking)} of them breaking for clients`;
    } finally {
      await rm(directory, { recursive: true });
    }
  },
};

/** A text is restricted in one of so many places. */
const EACH = 10;

/** The same contract with changes all over it: texts get a `maxLength`, and fields of GraphQL that are a String can no longer be null. */
function changedCopy(text: string, isSdl: boolean): string {
  let count = 0;
  const isChanged = (): boolean => (count += 1) % EACH === 0;
  if (isSdl)
    return text.replaceAll(/^( +\w+: String)$/gm, (field: string) => (isChanged() ? `${field}!` : field));
  const document = parseYaml(text) as Record<string, unknown>;
  // It may be in a file beside the contract.
  const { description: _, ...info } = document['info'] as Record<string, unknown>;
  const change = (_name: string, value: unknown): unknown => {
    const isText =
      typeof value === 'object' &&
      value !== null &&
      'type' in value &&
      value.type === 'string' &&
      !('in' in value);
    return isText && !('enum' in value) && !('format' in value) && isChanged()
      ? { ...value, maxLength: 7 }
      : value;
  };
  return JSON.stringify({ ...document, info }, change, 1);
}

const [, , kind = '', name = ''] = process.argv;
const row = ROWS[kind];
if (row === undefined) throw new Error(`${kind} is no kind of row`);
console.log(await row(name));
