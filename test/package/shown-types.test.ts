/**
 * The packages whose types each entry point shows, as its compiled declarations import them. A project compiles those types
 * too, with its own compiler, which may be older than the one that they are written for.
 */

import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { expect } from 'chai';
import { packageOf } from '../architecture/import-problems.js';
import { readImports } from '../architecture/read-imports.js';
import { ROOT } from '../architecture/source-tree.js';
import { isPublished } from './entry-points.js';
import { ownPackage, packages } from './packages.js';

/** Those that are not peers, by the entry points that show them. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  '@concordat/core/limits/memory': ['rate-limiter-flexible'],
  '@concordat/core/limits/redis': ['rate-limiter-flexible'],
  '@concordat/service': ['koa', 'pino'],
  'concordat/contract': ['graphql'],
};

/** The packages that a declaration file and all to which it leads import, with the file that does; those of this repository are tested themselves. */
function packagesBehind(start: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const files = new Set([start]);
  for (const file of files) {
    for (const { specifier } of readImports(file, readFileSync(ROOT + file, 'utf8'))) {
      const name = packageOf(specifier);
      if (specifier.startsWith('.')) files.add(declarationsOf(file, specifier));
      else if (name !== 'node:' && ownPackage(name) === undefined) found.set(name, file);
    }
  }
  return found;
}

function declarationsOf(file: string, specifier: string): string {
  const path = posix.join(posix.dirname(file), specifier).replace(/\.js$/, '.d.ts');
  return existsSync(ROOT + path) ? path : expect.fail(`${file} leads to ${path}, which is not there`);
}

describe('packages: the types that they show', () => {
  for (const { folder, manifest } of packages) {
    for (const [subpath, target] of Object.entries(manifest.exports)) {
      if (typeof target === 'string' || !isPublished(target)) continue;
      const specifier = posix.join(manifest.name, subpath);
      const shown = SHOWN[specifier] ?? [];
      it(`${specifier}: those of ${['its peers', ...shown].join(', ')}`, () => {
        const behind = packagesBehind(posix.join(folder, target.types));
        const others = [...behind].filter(([name]) => !(name in (manifest.peerDependencies ?? {})));
        expect(others.sort()).to.deep.equal(shown.map((name) => [name, behind.get(name)]));
      });
    }
  }
});
