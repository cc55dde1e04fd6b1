/** Finds the recorded parts that a document lacks, and inserts them into its text. Whatever is written in it stays, character by character. */

import type { Document, Node, YAMLMap, YAMLSeq } from 'yaml';
import { isMap, isNode, isPair, isScalar, isSeq, stringify } from 'yaml';
import { findByMediaType } from '@concordat/runtime';
import { isObject } from '@concordat/runtime/parts';
import { type OperationObject, followed, isReference } from 'concordat/contract';
import { ERROR, type RecordedDocument, shapeOf } from './recorded-document.js';

/** One part that is missing, with its place. A place in a list is after its last item. */
export interface Addition {
  readonly place: readonly string[];
  readonly value: unknown;
  readonly isItem?: true;
}

export type Fields = Readonly<Record<string, unknown>>;

export const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {});

export const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The parts of the recording that the document lacks. */
export function missingParts(document: Fields, recorded: RecordedDocument): readonly Addition[] {
  const names = renamed(document, recorded);
  const paths = fieldsOf(document['paths']);
  const additions: Addition[] = [];
  for (const [path, operations] of Object.entries(recorded.paths)) {
    const same = Object.keys(paths).find((each) => shapeOf(each) === shapeOf(path));
    const item = same === undefined ? undefined : paths[same];
    // The operations of a path item in another place are written there.
    if (isReference(item)) continue;
    for (const [method, operation] of Object.entries(operations)) {
      const place = ['paths', same ?? path, method];
      const value = names(operation);
      const known = fieldsOf(item)[method];
      if (known === undefined) additions.push({ place, value });
      else additions.push(...missingOfOperation(document, fieldsOf(item), fieldsOf(known), value, place));
    }
  }
  return [...additions, ...missingComponents(document, recorded, additions)];
}

/** Replaces the names of the recording's components in an operation where the document uses them for others. */
function renamed(document: Fields, { components }: RecordedDocument): (operation: OperationObject) => Fields {
  const own = fieldsOf(document['components']);
  const schemes = fieldsOf(own['securitySchemes']);
  const nameOfScheme = (name: string): string => {
    const scheme = components.securitySchemes[name];
    const same = Object.entries(schemes).find(([, each]) => isSameScheme(fieldsOf(each), fieldsOf(scheme)));
    return same?.[0] ?? (Object.hasOwn(schemes, name) ? `recorded-${name}` : name);
  };
  const isOther = Object.hasOwn(fieldsOf(own['schemas']), 'Error');
  return (operation) => {
    const security = (operation.security ?? []).map((each) =>
      Object.fromEntries(Object.entries(each).map(([name, scopes]) => [nameOfScheme(name), scopes])),
    );
    const text = JSON.stringify({ ...operation, security });
    const [written, free] = [ERROR, ERROR.replace('Error', 'RecordedError')].map(($ref) =>
      JSON.stringify({ $ref }),
    );
    return fieldsOf(JSON.parse(isOther ? text.replaceAll(written ?? '', free ?? '') : text));
  };
}

function isSameScheme(one: Fields, other: Fields): boolean {
  const text = (value: unknown): string => String(value).toLowerCase();
  return (['type', 'scheme', 'in', 'name'] as const).every(
    (member) => text(one[member]) === text(other[member]),
  );
}

/** The components that the additions refer to, and that the document does not have. */
function missingComponents(
  document: Fields,
  recorded: RecordedDocument,
  additions: readonly Addition[],
): readonly Addition[] {
  const own = fieldsOf(document['components']);
  const text = JSON.stringify(additions.map(({ value }) => value));
  const { Error: error } = recorded.components.schemas;
  const names = ['Error', 'RecordedError'];
  const errorName = names.find((name) => text.includes(`"#/components/schemas/${name}"`));
  const schemes = Object.entries(recorded.components.securitySchemes).flatMap(([name, value]) =>
    [name, `recorded-${name}`]
      .filter((each) => text.includes(`${JSON.stringify(each)}:[]`))
      .filter((each) => !Object.hasOwn(fieldsOf(own['securitySchemes']), each))
      .map((each): Addition => ({ place: ['components', 'securitySchemes', each], value })),
  );
  const hasError = errorName !== undefined && Object.hasOwn(fieldsOf(own['schemas']), errorName);
  if (error === undefined || errorName === undefined || hasError) return schemes;
  return [{ place: ['components', 'schemas', errorName], value: error }, ...schemes];
}

/** The responses, media types, query parameters and the body that an operation lacks. */
function missingOfOperation(
  document: Fields,
  item: Fields,
  own: Fields,
  recorded: Fields,
  place: readonly string[],
): readonly Addition[] {
  const responses = fieldsOf(own['responses']);
  const declared = [...itemsOf(item['parameters']), ...itemsOf(own['parameters'])].map((each) =>
    fieldsOf(followed<unknown>(document, each)),
  );
  return [
    ...itemsOf(recorded['parameters'])
      .map(fieldsOf)
      .filter((each) => each['in'] === 'query')
      .filter((each) => !declared.some((known) => known['in'] === 'query' && known['name'] === each['name']))
      .filter(() => !declared.some((known) => known['in'] === 'querystring'))
      .map((value): Addition => ({ place: [...place, 'parameters'], value, isItem: true })),
    ...missingContent(own, recorded, 'requestBody', place),
    ...Object.entries(fieldsOf(recorded['responses'])).flatMap(([status, value]): readonly Addition[] => {
      // A recorded `default` is a guess.
      if (status === 'default') return [];
      if (Object.hasOwn(responses, status))
        return missingContent(responses, fieldsOf(recorded['responses']), status, [...place, 'responses']);
      const isCovered = ['default', `${status.slice(0, 1)}XX`].some((each) => Object.hasOwn(responses, each));
      return isCovered ? [] : [{ place: [...place, 'responses', status], value }];
    }),
  ];
}

/** A body that is missing as a whole, or some of its media types. A part by reference stays as it is. */
function missingContent(
  own: Fields,
  recorded: Fields,
  member: string,
  place: readonly string[],
): readonly Addition[] {
  const { [member]: known } = own;
  const { [member]: value } = recorded;
  if (value === undefined || isReference(known)) return [];
  if (known === undefined) return [{ place: [...place, member], value }];
  const types = fieldsOf(fieldsOf(known)['content']);
  return Object.entries(fieldsOf(fieldsOf(value)['content']))
    .filter(([type]) => !covers(Object.keys(types), type))
    .map(([type, media]) => ({ place: [...place, member, 'content', type], value: media }));
}

/** Whether one of the media types, which may be ranges or have parameters, includes the type. */
function covers(known: readonly string[], type: string): boolean {
  const types = known.map((each) => [each.replace(/;.*/s, '').trim().toLowerCase(), true] as const);
  return findByMediaType(new Map(types), type) === true;
}

/** The nodes on the way to a place, the document's own first, as far as they exist. */
export function nodesOf({ contents }: Document, place: readonly string[]): readonly Node[] {
  const nodes: Node[] = contents === null ? [] : [contents];
  for (const step of place) {
    const node = nodes.at(-1);
    // `200` may be a number.
    const value = isMap(node) ? node.items.find(({ key }) => keyText(key) === step)?.value : undefined;
    if (!isNode(value)) break;
    nodes.push(value);
  }
  return nodes;
}

const keyText = (key: unknown): string => String(isScalar(key) ? key.value : key);

/** An insertion into one node: members of a map, or items of a list. */
interface Insertion {
  readonly node: Node;
  readonly members: Record<string, unknown>;
  readonly items: unknown[];
}

/** The text with all additions. Additions to the same node are inserted at once. */
export function withAdditions(text: string, document: Document, additions: readonly Addition[]): string {
  const insertions = new Map<Node, Insertion>();
  for (const { place, value, isItem } of additions) {
    const nodes = nodesOf(document, place);
    const node = nodes.at(-1);
    if (node === undefined) continue;
    const insertion = insertions.get(node) ?? { node, members: {}, items: [] };
    insertions.set(node, insertion);
    const missing = place.slice(nodes.length - 1);
    if (missing.length === 0) insertion.items.push(value);
    else setIn(insertion.members, missing, value, isItem);
  }
  const pieces = [...insertions.values()].flatMap((insertion) => pieceOf(text, insertion));
  let written = text;
  for (const { at, inserted } of pieces.sort(lastFirst))
    written = written.slice(0, at) + inserted + written.slice(at);
  return written;
}

interface Piece {
  readonly at: number;
  readonly column: number;
  readonly inserted: string;
}

/** From the end of the text to its start. At the end of an inner and an outer node, the text of the inner one comes first. */
const lastFirst = (one: Piece, other: Piece): number => other.at - one.at || one.column - other.column;

/** Adds a part to an object. */
export function setIn(
  members: Record<string, unknown>,
  place: readonly string[],
  value: unknown,
  isItem?: boolean,
): void {
  const [step = '', ...rest] = place;
  if (rest.length > 0) setIn((members[step] ??= {}) as Record<string, unknown>, rest, value, isItem);
  else if (isItem) members[step] = [...((members[step] ?? []) as readonly unknown[]), value];
  else members[step] = value;
}

/** The text of an insertion, and where it comes; none for a node that can have no members. */
function pieceOf(text: string, { node, members, items }: Insertion): readonly Piece[] {
  const [start, end] = node.range ?? [0, 0];
  const empty = { at: start, column: 0, inserted: ` ${JSON.stringify(members)}` };
  if (isScalar(node) && node.value === null && start === end) return [empty];
  if (!isMap(node) && !isSeq(node)) return [];
  const value = isMap(node) ? members : items;
  if (node.flow === true) {
    const last = lastNodeOf(node);
    const flow = JSON.stringify(value).slice(1, -1);
    const inserted = last === undefined ? flow : `, ${flow}`;
    return [{ at: last?.range?.[1] ?? start + 1, column: 0, inserted }];
  }
  const column = start - (text.lastIndexOf('\n', start - 1) + 1);
  const lines = stringify(value, { ...styleOf(text), lineWidth: 0, aliasDuplicateObjects: false }).trimEnd();
  const inserted = `${lines.replaceAll(/^(?=.)/gm, ' '.repeat(column))}\n`;
  // A block text ends after its line, any other value on it.
  const line = text[end - 1] === '\n' ? end - 1 : text.indexOf('\n', end);
  const at = line === -1 ? text.length : line + 1;
  const whole = line === -1 ? `\n${inserted}` : inserted;
  return [{ at, column, inserted: text.includes('\r\n') ? whole.replaceAll('\n', '\r\n') : whole }];
}

function lastNodeOf({ items }: YAMLMap | YAMLSeq): Node | undefined {
  const item: unknown = items.at(-1);
  const last = isPair(item) ? (item.value ?? item.key) : item;
  return isNode(last) ? last : undefined;
}

/** How the document is indented. */
function styleOf(text: string): { readonly indent: number; readonly indentSeq: boolean } {
  const [, indent = '  '] = /^[^\s#-][^\n]*\r?\n( +)[^\s#-]/m.exec(text) ?? [];
  return { indent: indent.length, indentSeq: !/^( *)[^\s#-][^\n]*:[ \t]*\r?\n\1- /m.test(text) };
}
