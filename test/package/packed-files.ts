/** What `npm publish` would ship, by the word of npm itself. */

import { execFileSync } from 'node:child_process';
import { ROOT } from '../architecture/source-tree.js';

/** The paths that the package would have, from its root, sorted. */
export function packedFiles(): readonly string[] {
  // npm is a script on some systems and a program on others; `npm test` says where its own code is.
  const npm = process.env['npm_execpath'];
  const [program, first]: [string, string[]] = npm === undefined ? ['npm', []] : [process.execPath, [npm]];
  // Without scripts: what stands in dist/ is what is tested.
  const output = execFileSync(program, [...first, 'pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [packed] = JSON.parse(output) as [{ files: { path: string }[] }];
  return packed.files.map(({ path }) => path).sort();
}
