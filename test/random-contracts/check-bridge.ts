/** `bridge` between a document and a mutation of it: what it writes compiles. */

import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { runProgram } from '../../src/codegen/cli/program.js';
import { complaintsOfMany } from '../codegen/strict-compiler.js';
import { runInProcess } from '../support/run-program.js';
import { mutatedCopy } from './mutations.js';
import { Finding, type Tried, inFolder } from './tried.js';

export async function checkBridge(tried: Tried): Promise<void> {
  if (typeof tried.contract === 'string') {
    await checkRefusal(tried);
    return;
  }
  const { name = '', copy } = mutatedCopy(tried.document, tried.random) ?? {};
  if (copy === undefined) return;
  const other = inFolder(tried, 'next.json');
  const out = inFolder(tried, 'bridge');
  await writeFile(other, JSON.stringify(copy));
  await mkdir(out);
  await writeFile(inFolder(tried, 'package.json'), '{ "type": "module" }\n');
  await symlink(new URL('../../node_modules', import.meta.url), inFolder(tried, 'node_modules'));
  const accept = (tried.accept ?? []).flatMap((feature) => ['--accept', feature]);
  const { exitCode, stdout, stderr } = await runInProcess(runProgram, [
    'bridge',
    tried.file,
    other,
    '--out',
    out,
    '--json',
    ...accept,
  ]);
  // The mutation may have taken an accepted feature away.
  if (stderr.includes('unused-acceptance')) return;
  if (exitCode !== 0)
    throw new Finding(`bridge to ${name} ends with ${String(exitCode)}: ${stderr.slice(0, 500)}`);
  if (!isJson(stdout)) throw new Finding(`bridge --json prints no JSON: ${stdout.slice(0, 300)}`);
  const [complaint] = complaintsOfMany(tried.folder, ['bridge/bridge.ts']);
  if (complaint !== undefined) throw new Finding(`the bridge to ${name} does not compile: ${complaint}`);
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

/** A GraphQL schema is refused by its name. */
async function checkRefusal(tried: Tried): Promise<void> {
  const given = ['bridge', tried.file, tried.file, '--out', inFolder(tried, 'bridge')];
  const { exitCode, stderr } = await runInProcess(runProgram, given);
  if (exitCode !== 2 || !stderr.includes(`${tried.file} is no file with an OpenAPI document`))
    throw new Finding(`bridge of a GraphQL schema ends with ${String(exitCode)}: ${stderr.slice(0, 300)}`);
}
