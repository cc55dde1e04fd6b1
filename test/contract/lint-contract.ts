/** Lints both contracts: `tsx test/contract/lint-contract.ts` prints the problems, and exits with 1 if there are any. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { getLineColLocation, parseYaml, Source } from '@redocly/openapi-core';
import { isNode } from './contract-document.js';
import { exampleProblems } from './example-problems.js';
import { houseRuleProblems } from './house-rules.js';
import type { Problem } from './problem.js';
import { redoclyProblems } from './redocly-problems.js';
import { schemaProblems } from './schema-problems.js';

export const OPENAPI_FILE = fileURLToPath(new URL('../../openapi.yaml', import.meta.url));
export const SCHEMA_FILE = fileURLToPath(new URL('../../schema.graphql', import.meta.url));

/**
 * The problems of an OpenAPI document, by Redocly's rules, the house rules and its own examples.
 *
 * @param source - the document's text, in YAML or JSON
 * @param file - absolute path of the text
 * @throws YamlParseError when the text is not YAML
 */
export async function contractProblems(source: string, file = OPENAPI_FILE): Promise<Problem[]> {
  const document = parseYaml(source);
  if (!isNode(document)) return [{ rule: 'struct', place: '#', message: 'The document is not an object.' }];
  return [
    ...(await redoclyProblems(source, file)),
    ...exampleProblems(document),
    ...houseRuleProblems(document),
  ];
}

async function main(): Promise<void> {
  const openapi = await readFile(OPENAPI_FILE, 'utf8');
  const source = new Source(OPENAPI_FILE, openapi);
  const lines = [
    ...(await contractProblems(openapi)).map(({ rule, place, message }) => {
      const { line, col } = getLineColLocation({ source, pointer: place }).start;
      return `openapi.yaml:${line}:${col} ${rule}: ${message} (${place})`;
    }),
    ...schemaProblems(await readFile(SCHEMA_FILE, 'utf8')).map(
      ({ rule, place, message }) => `schema.graphql ${rule}: ${message} (${place})`,
    ),
  ];
  console.log(lines.length === 0 ? 'Both contracts are fine.' : lines.join('\n'));
  process.exitCode = lines.length === 0 ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
