/** `bridge` between a document and a mutation of it: what it writes compiles. */

import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { runProgram } from '../../src/codegen/cli/program.js';
import { complaintsOfMany } from '../codegen/strict-compiler.js';
import { runInProcess } from '../support/run-program.js';
import { mutatedCopy } from './mutations.js';
import { Finding, type Tried, inFolder } from './tried.js';

export async function checkBridge(tried: Tried): Promise<void> {
  const { name = '', copy } = mutatedCopy(tried.document, tried.random) ?? {};
  if (copy === undefined) return;
  const other = inFolder(tried, 'next.json');
  const out = inFolder(tried, 'bridge');
  await writeFile(other, JSON.stringify(copy));
  await mkdir(out);
  await writeFile(inFolder(tried, 'package.json'), '{ "type": "module" }\n');
  await symlink(new URL('../../node_modules', import.meta.url), inFolder(tried, 'node_modules'));
  const accept = (tried.accept ?? []).flatMap((feature) => ['--accept', feature]);
  const { exitCode, stderr } = await runInProcess(runProgram, [
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
  const [complaint] = complaintsOfMany(tried.folder, ['bridge/bridge.ts']);
  if (complaint !== undefined) throw new Finding(`the bridge to ${name} does not compile: ${complaint}`);
}
