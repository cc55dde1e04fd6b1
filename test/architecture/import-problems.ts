/** Holds the imports of a source tree against the rules of its rooms. */

import { posix } from 'node:path';
import { type Import, readImports } from './read-imports.js';
import { ROOMS, type Room } from './rooms.js';

/** A source tree: texts by path from the root, with forward slashes. */
export type SourceTree = ReadonlyMap<string, string>;

/** Every import that breaks a rule, with a sentence per import. */
export function importProblems(tree: SourceTree): readonly string[] {
  return [...tree].flatMap(([file, text]) => {
    const room = roomOf(file);
    if (room === undefined) return [`${file} stands in no room`];
    return readImports(file, text).flatMap((each) =>
      isAllowed(room, file, each, tree) ? [] : [`${file} imports ${each.specifier}`],
    );
  });
}

/** Every circle of files, type imports included, each told once: `a.ts -> b.ts -> a.ts`. */
export function fileCircles(tree: SourceTree): readonly string[] {
  return circles(new Map([...tree.keys()].map((file) => [file, targetsOf(file, tree)])));
}

/** Every circle of folders, type imports included, each told once: `src/a -> src/b -> src/a`. A folder is not its parent. */
export function folderCircles(tree: SourceTree): readonly string[] {
  const imported = new Map<string, Set<string>>();
  for (const file of tree.keys()) {
    const folder = posix.dirname(file);
    const targets = imported.get(folder) ?? new Set();
    imported.set(folder, targets);
    for (const target of targetsOf(file, tree)) targets.add(posix.dirname(target));
    targets.delete(folder);
  }
  return circles(imported);
}

/** The circles that a walk along the arrows closes; where there is a circle, it finds one. */
function circles(graph: ReadonlyMap<string, Iterable<string>>): readonly string[] {
  const found: string[] = [];
  const done = new Set<string>();
  for (const node of graph.keys()) follow(node, []);
  return found;

  function follow(node: string, way: readonly string[]): void {
    const start = way.indexOf(node);
    if (start !== -1) found.push([...way.slice(start), node].join(' -> '));
    if (start !== -1 || done.has(node)) return;
    for (const next of graph.get(node) ?? []) follow(next, [...way, node]);
    done.add(node);
  }
}

/** The package that a specifier names: `ajv` for `ajv/dist/2020.js`, and `node:` for all of Node's own. */
export function packageOf(specifier: string): string {
  if (specifier.startsWith('node:')) return 'node:';
  const [first = '', second = ''] = specifier.split('/');
  return first.startsWith('@') ? `${first}/${second}` : first;
}

function roomOf(file: string): Room | undefined {
  return ROOMS.find(({ path }) => file.startsWith(path));
}

function isAllowed(room: Room, file: string, { specifier, typeOnly }: Import, tree: SourceTree): boolean {
  if (!specifier.startsWith('.')) {
    const { packages = [], packageTypes = [] } = room;
    return [...packages, ...(typeOnly ? packageTypes : [])].includes(moduleOf(specifier));
  }
  const target = targetOf(file, specifier, tree);
  if (target === undefined) return false;
  return roomOf(target) === room || room.sees.some((path) => target.startsWith(path));
}

/** What a rule names: of the packages of this repository the entry point, of others the package. */
function moduleOf(specifier: string): string {
  return /^(@concordat\/|concordat(\/|$))/.test(specifier) ? specifier : packageOf(specifier);
}

function targetsOf(file: string, tree: SourceTree): readonly string[] {
  return readImports(file, tree.get(file) ?? '').flatMap(({ specifier }) =>
    specifier.startsWith('.') ? (targetOf(file, specifier, tree) ?? []) : [],
  );
}

/** The file of the tree that a relative specifier means: the source, also where a program imports what is compiled from it. */
function targetOf(file: string, specifier: string, tree: SourceTree): string | undefined {
  const path = posix.join(posix.dirname(file), specifier);
  const stem = path.replace(/\.js$/, '').replace('/dist/', '/');
  return ['.ts', '.d.ts', '.js'].map((extension) => stem + extension).find((each) => tree.has(each));
}
