/** Holds the imports of a source tree against the rules of its rooms. */

import { posix } from 'node:path';
import { type Import, readImports } from './read-imports.js';
import { ROOMS, type Room } from './rooms.js';

/** A source tree: texts by path from the root, with forward slashes. */
export type SourceTree = ReadonlyMap<string, string>;

/** Every import that breaks a rule, with a sentence per import. */
export function importProblems(tree: SourceTree): readonly string[] {
  return [...tree].flatMap(([file, text]) => {
    const room = ROOMS.find(({ path }) => file.startsWith(path));
    if (room === undefined) return [`${file} stands in no room`];
    return readImports(file, text).flatMap((each) =>
      isAllowed(room, file, each, tree) ? [] : [`${file} imports ${each.specifier}`],
    );
  });
}

/** Every circle of imports, type imports included, each told once: `a.ts -> b.ts -> a.ts`. */
export function importCircles(tree: SourceTree): readonly string[] {
  const circles: string[] = [];
  const done = new Set<string>();
  for (const file of tree.keys()) follow(file, []);
  return circles;

  function follow(file: string, way: readonly string[]): void {
    const start = way.indexOf(file);
    if (start !== -1) circles.push([...way.slice(start), file].join(' -> '));
    if (start !== -1 || done.has(file)) return;
    for (const { specifier } of readImports(file, tree.get(file) ?? '')) {
      const target = specifier.startsWith('.') ? targetOf(file, specifier, tree) : undefined;
      if (target !== undefined) follow(target, [...way, file]);
    }
    done.add(file);
  }
}

/** The package that a specifier names: `ajv` for `ajv/dist/2020.js`, and `node:` for all of Node's own. */
export function packageOf(specifier: string): string {
  if (specifier.startsWith('node:')) return 'node:';
  const [first = '', second = ''] = specifier.split('/');
  return first.startsWith('@') ? `${first}/${second}` : first;
}

function isAllowed(room: Room, file: string, { specifier, typeOnly }: Import, tree: SourceTree): boolean {
  if (!specifier.startsWith('.')) return (room.packages ?? []).includes(packageOf(specifier));
  const target = targetOf(file, specifier, tree);
  if (target === undefined) return false;
  const seen = [room.path, ...room.sees, ...(typeOnly ? (room.seesTypesOf ?? []) : [])];
  return seen.some((path) => target.startsWith(path));
}

/** The file of the tree that a relative specifier means. */
function targetOf(file: string, specifier: string, tree: SourceTree): string | undefined {
  const stem = posix.join(posix.dirname(file), specifier).replace(/\.js$/, '');
  return ['.ts', '.d.ts', '.js'].map((extension) => stem + extension).find((path) => tree.has(path));
}
