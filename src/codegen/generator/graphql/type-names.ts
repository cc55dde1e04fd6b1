/**
 * Gives the types of a schema distinct names in `graphql.ts`: a type whose name the file needs for something else, such as `Record` or
 * `Resolvers`, gets a number in TypeScript, and keeps its name in GraphQL.
 */

import { type DocumentNode, type NameNode, isTypeDefinitionNode, visit } from 'graphql';
import ts from 'typescript';
import { type Edit, edited, scopeNames } from '../../text/parsed-code.js';
import { RESERVED_WORDS, words } from '../../text/identifiers.js';
import type { ResolverOptions } from './resolver-options.js';

/** Writes the text of `graphql.ts`. */
export type WriteTypes = (schema: DocumentNode, options: ResolverOptions) => Promise<string>;

/** The text of `graphql.ts`, with a distinct name for each type. */
export async function typesWithOwnNames(
  schema: DocumentNode,
  options: ResolverOptions,
  write: WriteTypes,
): Promise<string> {
  // A unique name for each type, which is recognizable in every name that is derived from it.
  const types = schema.definitions.filter(isTypeDefinitionNode).map(({ name }) => name.value);
  const marks = new Map(types.map((name, index) => [name, `${name}Zq${index}z`]));
  const marked = renamed(schema, marks);
  const plain = Object.fromEntries(Object.entries(options).filter(([name]) => !OF_USER.has(name)));
  // The usual convention may spell two names alike: `user_name` and `User_Name`, or `ADMIN` and `admin`; and of `_` and `_1` it leaves none.
  let spelling: ResolverOptions = {};
  let file = parsed(await write(marked, plain));
  if (hasTwins(file) || scopeNames(file).some((name) => /^\d|^$/.test(name.replaceAll(MARK, '')))) {
    spelling = { namingConvention: 'keep' };
    file = parsed(await write(marked, { ...plain, ...spelling }));
  }
  const names = freeNames(schema, marks, new Set(scopeNames(file)));
  if (names.size === 0) return write(schema, { ...options, ...spelling });
  const text = await write(renamed(schema, names), { ...withTypeNames(options, names), ...spelling });
  return withNamesOfSchema(text, names);
}

/** The options whose texts are types or modules of the user, which could be mistaken for names of the schema. */
const OF_USER = new Set([
  ...words('mappers defaultMapper scalars contextType rootValueType enumValues'),
  ...words('fieldContextTypes directiveContextTypes'),
]);

/** The options, with the types of the schema renamed. */
function withTypeNames(options: ResolverOptions, names: ReadonlyMap<string, string>): ResolverOptions {
  const entries = Object.entries(options).map(([option, value]): readonly [string, unknown] => {
    if (!OF_USER.has(option) || typeof value !== 'object' || value === null) return [option, value];
    const nameOf = (type: string): string => names.get(type) ?? type;
    // The texts of a list begin with a field: `User.name#…`.
    if (Array.isArray(value))
      return [option, value.map((item) => String(item).replace(/^\w+(?=\.)/, nameOf))];
    return [option, Object.fromEntries(Object.entries(value).map(([type, each]) => [nameOf(type), each]))];
  });
  return Object.fromEntries(entries);
}

const MARK = /Zq(\d+)z/g;

/** New names for the types whose names are taken. */
function freeNames(
  schema: DocumentNode,
  marks: ReadonlyMap<string, string>,
  mentioned: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const all = [...mentioned];
  const taken = new Set(all.filter((name) => !name.match(MARK)));
  const known = new Set<string>();
  visit(schema, { Name: ({ value }) => void known.add(value) });
  const names = new Map<string, string>();
  // Names that are derived from a type, such as `UserResolvers`, cannot change alone.
  const types = [...marks].map(([type, mark]) => {
    const own = all.filter((name) => name.includes(mark.slice(type.length)));
    return { type, own, spelled: (end: string) => own.map((name) => name.replaceAll(MARK, end)) };
  });
  const derivedFirst = types.toSorted((a, b) => b.own.length - a.own.length);
  for (const { type, spelled } of derivedFirst) {
    let end = '';
    // The libraries that write the types keep them in objects, all of which have properties such as `constructor`.
    const isFree = (): boolean =>
      !spelled(end).some((name) => taken.has(name) || RESERVED_WORDS.includes(name)) &&
      (end === '' ? !(type in Object.prototype) : !known.has(type + end));
    for (let n = 2; !isFree(); n += 1) end = String(n);
    for (const name of spelled(end)) taken.add(name);
    if (end !== '') names.set(type, type + end);
  }
  return names;
}

/** The document, with some types renamed. */
function renamed(document: DocumentNode, names: ReadonlyMap<string, string>): DocumentNode {
  const rename = <Node extends { readonly name: NameNode }>(node: Node): Node | undefined => {
    const name = names.get(node.name.value);
    return name === undefined ? undefined : { ...node, name: { ...node.name, value: name } };
  };
  return visit(document, {
    NamedType: rename,
    ScalarTypeDefinition: rename,
    ObjectTypeDefinition: rename,
    InterfaceTypeDefinition: rename,
    UnionTypeDefinition: rename,
    EnumTypeDefinition: rename,
    InputObjectTypeDefinition: rename,
  });
}

function parsed(text: string): ts.SourceFile {
  return ts.createSourceFile('graphql.ts', text, ts.ScriptTarget.ESNext, true);
}

/** Whether two declarations, or two members of an enum, have the same name. */
function hasTwins({ statements }: ts.SourceFile): boolean {
  const isRepeated = (names: readonly string[]): boolean => new Set(names).size < names.length;
  const enums = statements.filter(ts.isEnumDeclaration);
  return (
    isRepeated(statements.filter(ts.isTypeAliasDeclaration).map(({ name }) => name.text)) ||
    isRepeated(enums.map(({ name }) => name.text)) ||
    enums.some(({ members }) => isRepeated(members.map(({ name }) => name.getText())))
  );
}

/** Restores the names of the schema in strings and in names of properties, because GraphQL uses these. */
function withNamesOfSchema(text: string, names: ReadonlyMap<string, string>): string {
  const originals = new Map([...names].map(([name, other]) => [other, name]));
  const edits: Edit[] = [];
  const visitNode = (node: ts.Node): void => {
    const isKey =
      ts.isIdentifier(node) &&
      (ts.isPropertySignature(node.parent) || ts.isPropertyAssignment(node.parent)) &&
      node.parent.name === node;
    const name = isKey || ts.isStringLiteral(node) ? originals.get(node.text) : undefined;
    // The quotes of a string are kept.
    const [start, end] = isKey ? [node.getStart(), node.end] : [node.getStart() + 1, node.end - 1];
    if (name !== undefined) edits.push({ start, end, text: name });
    ts.forEachChild(node, visitNode);
  };
  visitNode(parsed(text));
  return edited(text, edits);
}
