/** Measures the source at a commit: packages, files, lines, functions, rooms of the generator, and packages that an installation brings. */

import { execFileSync } from 'node:child_process';
import { posix } from 'node:path';
import ts from 'typescript';
import { readImports } from '../architecture/read-imports.js';

/** The folder that has the program and the generator. */
const GENERATOR = 'src/codegen/';

/** Tables in Markdown. `HEAD` does not see what is not committed yet. */
export function measuredHouse(commit = 'HEAD'): string {
  const source = filesAt(commit, 'src');
  const tests = [...filesAt(commit, 'test').values()];
  const folders = [...new Set([...source.keys()].map((file) => file.split('/').slice(0, 2).join('/')))];
  const functions = [...source].map(([file, text]) => functionsIn(file, text));
  const total = linesOf([...source.values()]);
  const { rooms, floors } = roomsOf(source);
  return [
    '| Folder | Lines | Files |',
    '|---|---|---|',
    ...folders.map((folder) => {
      const files = [...source].filter(([file]) => file.startsWith(`${folder}/`));
      return row(folder, linesOf(files.map(([, text]) => text)), files.length);
    }),
    row('src', total, source.size),
    row('test', linesOf(tests), tests.length),
    '',
    '| Figure | |',
    '|---|---|',
    row('lines per function with a name', (total / sum(functions)).toFixed(1)),
    row('rooms of the generator', rooms),
    row('its floors', floors),
    row('packages that an installation brings', broughtAt(commit)),
  ].join('\n');
}

function row(...cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |`;
}

function git(...parameters: readonly string[]): string {
  return execFileSync('git', parameters, { encoding: 'utf8', maxBuffer: 1e9 });
}

/** The texts of all TypeScript files of a folder, by path. */
function filesAt(commit: string, folder: string): ReadonlyMap<string, string> {
  const files = git('ls-tree', '-r', '--name-only', commit, folder)
    .split('\n')
    .filter((file) => file.endsWith('.ts'));
  return new Map(files.map((file) => [file, git('show', `${commit}:${file}`)]));
}

function linesOf(texts: readonly string[]): number {
  return sum(texts.map((text) => text.split('\n').length - 1));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}

/** Counts functions, methods, constructors and accessors with a body, and arrow functions that a constant names. */
function functionsIn(file: string, text: string): number {
  let count = 0;
  const visit = (node: ts.Node): void => {
    const named =
      ts.isFunctionDeclaration(node) || ts.isClassElement(node)
        ? ts.isFunctionLike(node) && 'body' in node && node.body !== undefined
        : ts.isArrowFunction(node) && ts.isVariableDeclaration(node.parent);
    if (named) count += 1;
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return count;
}

/** The folders of the generator, and how many of them stand upon each other: the longest chain of imports between them. */
function roomsOf(source: ReadonlyMap<string, string>): { rooms: number; floors: number } {
  const imports = new Map<string, Set<string>>();
  for (const [file, text] of source) {
    const room = roomOf(file);
    if (room === undefined) continue;
    const seen = imports.get(room) ?? new Set();
    imports.set(room, seen);
    for (const { specifier } of readImports(file, text)) {
      const other = specifier.startsWith('.') ? roomOf(posix.join(file, '..', specifier)) : undefined;
      if (other !== undefined && other !== room) seen.add(other);
    }
  }
  const height = (room: string, above: readonly string[] = []): number =>
    1 +
    Math.max(
      0,
      ...[...(imports.get(room) ?? [])]
        .filter((below) => !above.includes(below))
        .map((below) => height(below, [...above, room])),
    );
  return { rooms: imports.size, floors: Math.max(...[...imports.keys()].map((room) => height(room))) };
}

/** `contract` of `src/codegen/contract/load/read.ts`; the entry points beside the rooms are none. */
function roomOf(file: string): string | undefined {
  if (!file.startsWith(GENERATOR)) return undefined;
  const [room, ...rest] = file.slice(GENERATOR.length).split('/');
  return rest.length === 0 ? undefined : room;
}

/** As the list of dependencies counts them. */
function broughtAt(commit: string): string {
  return /has it: (.*?)\. Written/.exec(git('show', `${commit}:.github/DEPENDENCIES.md`))?.[1] ?? 'unknown';
}
