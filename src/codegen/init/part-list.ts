/** Reads a list of parts, which the team may have edited, and adds lines to it; existing text is neither moved nor removed. */

import ts from 'typescript';
import { WIDTH, operationKey, singleQuoted } from '../text/code.js';
import { type Edit, edited } from '../text/parsed-code.js';
import type { Part } from './part.js';

export class PartList {
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
  if (ts.isComputedPropertyName(name)) {
    return ts.isStringLiteralLike(name.expression) ? name.expression.text : undefined;
  }
  return name.text;
}
