/** Which test files import a source file, the nearest first. */

import { dirname } from 'node:path';
import { build } from 'esbuild';

/** The files that import each file, by path from the root of the repository. */
type Importers = ReadonlyMap<string, readonly string[]>;

/** Reads the imports of test files, and of all that they import from this repository. */
export async function importersIn(root: string, tests: readonly string[]): Promise<Importers> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [...tests],
    outdir: 'nowhere',
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    conditions: ['@concordat/source'],
    logLevel: 'silent',
    plugins: [
      {
        name: 'packages of others are not read',
        setup(building) {
          building.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
            kind === 'entry-point' || /^@?concordat(?:\/|$)/.test(path)
              ? undefined
              : { path, external: true },
          );
        },
      },
    ],
  });
  const importers = new Map<string, string[]>();
  for (const [path, { imports }] of Object.entries(metafile.inputs)) {
    for (const { path: imported, external } of imports) {
      if (external === true) continue;
      const list = importers.get(imported);
      if (list === undefined) importers.set(imported, [path]);
      else list.push(path);
    }
  }
  return importers;
}

/** The test files that import a file: those of its own folder first, then those with the fewest imports in between. */
export function testsOf(file: string, importers: Importers): readonly string[] {
  const seen = new Set([file]);
  // A set keeps the order of insertion, and its loop also visits what is added in it: a search in breadth.
  for (const each of seen) for (const importer of importers.get(each) ?? []) seen.add(importer);
  const tests = [...seen].filter((each) => each.endsWith('.test.ts'));
  // Tests mirror the sources.
  const own = `${dirname(file).replace(/^src/, 'test')}/`;
  return [...tests.filter((each) => each.startsWith(own)), ...tests.filter((each) => !each.startsWith(own))];
}
