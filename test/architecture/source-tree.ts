/** The source of all packages, as the tests of the architecture read it. */

import { readFileSync, readdirSync } from 'node:fs';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SourceTree } from './import-problems.js';

/** The root of the repository. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Every TypeScript and JavaScript file of some directories, by its path from the root; not what was compiled or installed, nor templates and examples. */
export function readTree(...directories: readonly string[]): SourceTree {
  const files = directories.flatMap((directory) =>
    readdirSync(ROOT + directory, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.[jt]s$/.test(file))
      .map((file) => `${directory}/${file.split(sep).join('/')}`)
      .filter((file) => !/\/(dist|node_modules|templates|guides\/examples)\//.test(file)),
  );
  return new Map(files.map((file) => [file, readFileSync(ROOT + file, 'utf8')]));
}
