/** The entry points of the packages, and which packages a project has beside them: read from what the sources import. */

import { readFileSync, readdirSync } from 'node:fs';
import { posix, sep } from 'node:path';
import { packageOf } from '../architecture/import-problems.js';
import { readImports } from '../architecture/read-imports.js';
import { ROOT } from '../architecture/source-tree.js';
import { type Package, type Target, ownPackage, packages } from './packages.js';

/** What a project imports. */
export interface EntryPoint {
  /** As it is imported: `@concordat/core/storage/sqlite`. */
  readonly specifier: string;
  /** Its source file, from the root of the repository. */
  readonly source: string;
}

/** The entry points of a package that are code, and are published. */
export function entryPointsOf(each: Package): readonly EntryPoint[] {
  return modulesOf(each).filter(({ target }) => isPublished(target));
}

/** All that sources import by name, also what is bundled into the programs that share it. */
function modulesOf({ folder, manifest }: Package): readonly (EntryPoint & { readonly target: Target })[] {
  return Object.entries(manifest.exports).flatMap(([subpath, target]) =>
    typeof target === 'string'
      ? []
      : [
          {
            specifier: posix.join(manifest.name, subpath),
            source: posix.join(folder, target['@concordat/source']),
            target,
          },
        ],
  );
}

/** What an installed package has leads further than to the sources. */
export function isPublished(target: Target): boolean {
  return Object.keys(target).some((condition) => condition !== '@concordat/source');
}

/** The files that sources import by the name of a package. */
export const faces: ReadonlySet<string> = new Set(packages.flatMap(modulesOf).map(({ source }) => source));

export const entryPoints: readonly EntryPoint[] = packages.flatMap(entryPointsOf);

/** The source files of a package, from the root of the repository. */
export function sourcesOf({ folder }: Package): readonly string[] {
  return readdirSync(ROOT + folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(sep).join('/'))
    .filter(
      (file) => /(?<!\.d)\.ts$/.test(file) && !/^(?:dist|node_modules|guides|init\/templates)\//.test(file),
    )
    .map((file) => `${folder}/${file}`);
}

/** The packages that a file imports by name, without Node's own; one that is loaded by `import(name)` has no name to read. */
export function packagesImportedBy(file: string): readonly string[] {
  return specifiersIn(file)
    .filter((specifier) => !specifier.startsWith('.') && !specifier.startsWith('node:'))
    .map(packageOf);
}

/** The entry point for the Kysely of the application; the stores have the part of it that they use in their own code. */
const USERS_KYSELY = 'src/core/kysely.ts';

/**
 * The peers that the files of an entry point import, for values or for types, and those that the files of other packages do to
 * which they lead.
 */
export function peersBehind({ source }: EntryPoint): readonly string[] {
  const peers = new Set<string>();
  const seen = new Set<string>();
  follow(source);
  return [...peers].sort();

  function follow(file: string): void {
    if (seen.has(file)) return;
    seen.add(file);
    const owner = packages.find(({ folder }) => file.startsWith(`${folder}/`));
    for (const specifier of specifiersIn(file)) {
      if (specifier.startsWith('.')) follow(targetOf(file, specifier));
      const ours = entryPoints.find((each) => each.specifier === specifier);
      if (ours !== undefined && ownPackage(packageOf(specifier)) !== owner) follow(ours.source);
      const name = packageOf(specifier);
      // A file of the contract belongs to the core.
      const isBundled = name === 'kysely' && file !== USERS_KYSELY;
      if (!isBundled && name in ((owner ?? ownPackage('@concordat/core'))?.manifest.peerDependencies ?? {}))
        peers.add(name);
    }
  }
}

/** What a project installs itself to use an entry point: the peers that its package does not bring. */
export function neededBeside(entryPoint: EntryPoint): readonly string[] {
  const { dependencies = {} } = ownPackage(packageOf(entryPoint.specifier))?.manifest ?? {};
  return peersBehind(entryPoint).filter((name) => !(name in dependencies));
}

const specifiers = new Map<string, readonly string[]>();

function specifiersIn(file: string): readonly string[] {
  const known = specifiers.get(file);
  if (known !== undefined) return known;
  const found = readImports(file, readFileSync(ROOT + file, 'utf8')).map(({ specifier }) => specifier);
  specifiers.set(file, found);
  return found;
}

/** The file that a relative specifier means: what is generated as JavaScript has its declarations beside it. */
function targetOf(file: string, specifier: string): string {
  const stem = posix.join(posix.dirname(file), specifier).replace(/\.js$/, '');
  const folder = readdirSync(ROOT + posix.dirname(stem));
  return folder.includes(`${posix.basename(stem)}.ts`) ? `${stem}.ts` : `${stem}.d.ts`;
}

/** The packages that the published declarations behind a package's entry points import. */
export function declarationsBehind({ folder, manifest }: Package): readonly string[] {
  const seen = new Set<string>();
  for (const target of Object.values(manifest.exports)) {
    if (typeof target !== 'string' && isPublished(target)) seen.add(posix.join(folder, target.types));
  }
  const names = new Set<string>();
  for (const file of seen) {
    for (const specifier of specifiersIn(file)) {
      if (!specifier.startsWith('.')) names.add(packageOf(specifier));
      else seen.add(posix.join(posix.dirname(file), specifier).replace(/\.js$/, '.d.ts'));
    }
  }
  return [...names];
}
