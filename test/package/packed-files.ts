/** What `npm publish` would ship, as npm itself tells it. */

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../architecture/source-tree.js';

const known = new Map<string, readonly string[]>();

/** The paths that the package of a folder would have, from that folder, sorted. npm is asked once. */
export function packedFiles(folder: string): readonly string[] {
  const files = known.get(folder) ?? askNpm(folder);
  known.set(folder, files);
  return files;
}

function askNpm(folder: string): readonly string[] {
  // npm is a script on some systems and a program on others; `npm test` says where its own code is.
  const npm = process.env['npm_execpath'];
  const [program, first]: [string, string[]] = npm === undefined ? ['npm', []] : [process.execPath, [npm]];
  // Without scripts: dist/ is tested as it is.
  const output = execFileSync(program, [...first, 'pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: join(ROOT, folder),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [packed] = JSON.parse(output) as [{ files: { path: string }[] }];
  return packed.files.map(({ path }) => path).sort();
}
