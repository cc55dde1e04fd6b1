/** `--json` of the commands: what they print is one JSON value and nothing else, it ends as the text does, and it says the same. */

import { writeFile } from 'node:fs/promises';
import { runProgram } from '../../src/codegen/cli/program.js';
import { diffFiles } from '../../src/tools/diff/diff-files.js';
import { runInProcess } from '../support/run-program.js';
import { mutatedCopy } from './mutations.js';
import { type Node, isNode } from './parts.js';
import { mutatedSdl } from './sdl-mutations.js';
import { Finding, type Tried, inFolder } from './tried.js';

export async function checkJson(tried: Tried): Promise<void> {
  const { contract, document, file, random } = tried;
  const isSdl = typeof contract === 'string';
  // The tests run in a project, whose own settings are another matter.
  // What must be accepted depends on what is generated.
  const more = { clientTypes: true, standardSchemas: true };
  const settings = { [isSdl ? 'schema' : 'openapi']: file, out: inFolder(tried, 'generated'), ...more };
  const config = inFolder(tried, 'codegen.mjs');
  await writeFile(config, `export default { concordat: ${JSON.stringify(settings)} };\n`);
  const given = ['--config', config];
  const accept = (tried.accept ?? []).flatMap((feature) => ['--accept', feature]);
  await printed(['check', ...given]);
  await printed(['generate', ...given, ...accept]);
  const { problems, stale } = partOf(await printed(['check', ...given, ...accept]));
  if (lengthOf(problems) + lengthOf(stale) > 0)
    throw new Finding(`check finds what generate has just written: ${JSON.stringify([problems, stale])}`);
  const { copy } = (isSdl ? mutatedSdl(contract, random) : mutatedCopy(document, random)) ?? {};
  if (copy === undefined) return;
  const other = inFolder(tried, `other.${isSdl ? 'graphql' : 'json'}`);
  await writeFile(other, typeof copy === 'string' ? copy : JSON.stringify(copy));
  const found = await printed(['diff', file, other]);
  const [diff] = await diffFiles([file, other]);
  const { changes } = partOf(Array.isArray(found) ? found[0] : undefined);
  if (lengthOf(changes) !== diff?.changes.length)
    throw new Finding('diff --json has other changes than diff');
}

const partOf = (value: unknown): Node => (isNode(value) ? value : {});
const lengthOf = (value: unknown): number => (Array.isArray(value) ? value.length : NaN);

/** Runs a command without `--json` and with it. @returns what it prints with it */
async function printed(command: readonly string[]): Promise<unknown> {
  const [name = ''] = command;
  const text = await runInProcess(runProgram, command);
  const json = await runInProcess(runProgram, [...command, '--json']);
  if (text.exitCode !== json.exitCode)
    throw new Finding(
      `${name} ends with ${String(text.exitCode)}, and with ${String(json.exitCode)} by --json: ${json.stderr}`,
    );
  if (/\n {4}at /.test(text.stderr + json.stderr))
    throw new Finding(`${name} prints a stack: ${json.stderr}`);
  try {
    return JSON.parse(json.stdout);
  } catch {
    throw new Finding(`${name} --json prints no JSON: ${json.stdout.slice(0, 300)} ${json.stderr}`);
  }
}
