/** Parts of a new project (handlers, security handlers and resolvers), each with its own file and a line in a list. */

import { posix } from 'node:path';
import ts from 'typescript';
import { WIDTH, code, identifier, joined, operationKey, singleQuoted } from '../text/code.js';
import { RESERVED_WORDS, camelCase, freeName, kebabCase, pascalCase } from '../text/identifiers.js';
import { Verbatim } from '../text/literal.js';
import { type Edit, edited } from '../text/parsed-code.js';
import type { Project, Template } from './project.js';

interface Part {
  /** Its place in the list: `['getUser']`, or `['Query', 'user']`. */
  readonly path: readonly string[];
  readonly name: string;
  readonly file: string;
  readonly template: Template;
}

/** A list of parts, and the folder with their files; the list, its constant and its template have the name of the folder. */
export interface PartFolder {
  /** The path of the list without its ending: `src/rest/operations`. */
  readonly path: string;
  /** The noun for a part in messages: `operation`. */
  readonly what: string;
  readonly parts: readonly Part[];
}

/** A part before its export and its file are named. */
interface Unnamed {
  readonly path: readonly string[];
  /** Words to make names of: `get-stations`, `Query user`. */
  readonly words: string;
}

/** Names parts. File names are distinct even on case-insensitive file systems. */
export function named<Each extends Unnamed>(
  parts: readonly Each[],
): readonly (Each & Pick<Part, 'name' | 'file'>)[] {
  const names = new Set<string>();
  const files = new Set<string>();
  return parts.map((part) => {
    const plain = camelCase(part.words);
    const safe =
      /^[\p{L}_]/u.test(plain) && !RESERVED_WORDS.includes(plain) ? plain : `the${pascalCase(plain)}`;
    const name = freeName(safe, names);
    // A file system takes 255 bytes, and a character has up to three per code unit.
    const file = kebabCase(pascalCase(part.words))
      .slice(0, 80)
      .replace(/[-\ud800-\udbff]$/, '');
    return { ...part, name, file: freeName(file || 'part', files, '-') };
  });
}

interface Stub {
  readonly name: string;
  readonly about: string;
  /** The type of all functions of its kind, and the module that exports it. */
  readonly types: readonly [name: string, from: string];
  /** The keys that lead from this type to that of the stub. */
  readonly path: readonly string[];
}

/** A function that answers 501 until the team writes it. */
export function stubTemplate({ name, about, types: [TYPES, FROM], path }: Stub): Template {
  const keys = joined(path.map((key) => code`[${singleQuoted(key)}]`));
  const SIGNATURE = new Verbatim(code`${identifier(TYPES)}${keys}`);
  return {
    file: 'src/stub.ts',
    values: { NAME: name, ABOUT: about, TYPES, FROM, SIGNATURE, WHAT: path.join('.') },
  };
}

/** Adds missing parts to a list, each with a file, and notes the parts that the contract does not have any more. */
export async function addParts(project: Project, { path, what, parts }: PartFolder): Promise<void> {
  const file = `${path}.ts`;
  const variable = posix.basename(path);
  const existing = await project.read(file);
  const list = PartList.read(existing ?? project.textOf(file), variable);
  if (list === undefined) {
    project.notes.push(`${file} has no "const ${variable} = { … }": nothing was added to it`);
    return;
  }
  const missing = parts.filter((part) => !list.has(part.path));
  const added = missing.filter((part) => !list.isHidden(part.path));
  for (const part of missing.filter((each) => !added.includes(each)))
    project.notes.push(`${file} does not name the ${what} ${part.path.join('.')}, which its spread may hold`);
  for (const part of added) await project.create(`${path}/${part.file}.ts`, part.template);
  if (existing === undefined || added.length > 0)
    await project.replace(file, list.with(added, `./${variable}`));
  const known = new Set(parts.map((part) => part.path.join('.')));
  for (const each of list.paths().map((keys) => keys.join('.'))) {
    if (known.has(each)) continue;
    project.notes.push(`${file} has the ${what} ${each}, which the contract does not have any more`);
  }
}

/** A list of parts, which the team may have edited; existing text is neither moved nor removed. */
class PartList {
  private constructor(
    private readonly source: ts.SourceFile,
    private readonly list: ts.ObjectLiteralExpression,
  ) {}

  /** @returns undefined if the text has no constant of this name whose value is an object literal */
  static read(text: string, variable: string): PartList | undefined {
    const source = ts.createSourceFile('list.ts', text, ts.ScriptTarget.Latest, true);
    const declarations = source.statements
      .filter(ts.isVariableStatement)
      .flatMap((statement) => statement.declarationList.declarations);
    const found = declarations.find(({ name }) => ts.isIdentifier(name) && name.text === variable);
    const list = objectOf(found?.initializer);
    return list === undefined ? undefined : new PartList(source, list);
  }

  /** Whether a spread or another value may hold the part, in which case the text does not show whether it exists. */
  isHidden([group, key]: readonly string[]): boolean {
    if (hasSpread(this.list)) return true;
    if (key === undefined) return false;
    const member = memberOf(this.list, group);
    if (member === undefined) return false;
    const inner = nested(member);
    return inner === undefined || hasSpread(inner);
  }

  has([group, key]: readonly string[]): boolean {
    const member = memberOf(this.list, group);
    if (key === undefined || member === undefined) return member !== undefined;
    const inner = nested(member);
    return inner !== undefined && memberOf(inner, key) !== undefined;
  }

  paths(): readonly (readonly string[])[] {
    return this.list.properties.flatMap((member) => {
      const name = nameOf(member);
      if (name === undefined) return [];
      const inner = nested(member);
      if (inner === undefined) return [[name]];
      return inner.properties.flatMap((each) => {
        const key = nameOf(each);
        return key === undefined ? [] : [[name, key]];
      });
    });
  }

  /** The text with an import and an entry added for each part. @param folder - the folder of the parts, relative to the list */
  with(parts: readonly Part[], folder: string): string {
    const { text, statements } = this.source;
    const imports = parts.map(({ name, file }) => `\nimport { ${name} } from '${folder}/${file}.js';`);
    const lastImport = statements.filter(ts.isImportDeclaration).at(-1);
    return edited(text, [insertedAt(lastImport?.end ?? 0, imports.join('')), ...this.#entries(parts)]);
  }

  #entries(parts: readonly Part[]): readonly Edit[] {
    const single = parts.filter(({ path }) => path.length === 1).map((part) => entryOf(part, '  '));
    const grouped = parts.filter(({ path }) => path.length > 1);
    const groups = new Set(grouped.map(({ path: [group = ''] }) => group));
    const edits: Edit[] = [];
    for (const group of groups) {
      const lines = grouped.filter(({ path }) => path[0] === group).map((part) => entryOf(part, '    '));
      const member = memberOf(this.list, group);
      const inner = member && nested(member);
      if (inner === undefined) single.push(`  ${group}: {\n${lines.join('\n')}\n  },`);
      else edits.push(insertion(inner, lines, '  '));
    }
    return single.length > 0 ? [...edits, insertion(this.list, single, '')] : edits;
  }
}

/** @param indent - the spaces before it, if its line has to be broken */
function entryOf({ path, name }: Part, indent: string): string {
  const id = path.at(-1) ?? '';
  const quoted = operationKey(id);
  const key = quoted.startsWith('"') ? singleQuoted(id) : quoted;
  if (key === name) return `${indent}${name},`;
  const flat = `${indent}${key}: ${name},`;
  return flat.length > WIDTH ? `${indent}${key}:\n${indent}  ${name},` : flat;
}

function insertion(
  { properties, end }: ts.ObjectLiteralExpression,
  lines: readonly string[],
  indent: string,
): Edit {
  const last = properties.at(-1);
  if (last === undefined) return insertedAt(end - 1, `\n${lines.join('\n')}\n${indent}`);
  return properties.hasTrailingComma
    ? insertedAt(properties.end, `\n${lines.join('\n')}`)
    : insertedAt(last.end, `,\n${lines.join('\n').replace(/,$/, '')}`);
}

function insertedAt(start: number, text: string): Edit {
  return { start, end: start, text };
}

function objectOf(value: ts.Expression | undefined): ts.ObjectLiteralExpression | undefined {
  if (value === undefined) return undefined;
  if (ts.isObjectLiteralExpression(value)) return value;
  return ts.isSatisfiesExpression(value) || ts.isAsExpression(value) ? objectOf(value.expression) : undefined;
}

function hasSpread({ properties }: ts.ObjectLiteralExpression): boolean {
  return properties.some(ts.isSpreadAssignment);
}

function memberOf(
  { properties }: ts.ObjectLiteralExpression,
  name: string | undefined,
): ts.ObjectLiteralElementLike | undefined {
  return properties.find((member) => nameOf(member) === name);
}

function nested(member: ts.ObjectLiteralElementLike): ts.ObjectLiteralExpression | undefined {
  return ts.isPropertyAssignment(member) ? objectOf(member.initializer) : undefined;
}

function nameOf({ name }: ts.ObjectLiteralElementLike): string | undefined {
  if (name === undefined) return undefined;
  if (ts.isComputedPropertyName(name))
    return ts.isStringLiteralLike(name.expression) ? name.expression.text : undefined;
  return name.text;
}
