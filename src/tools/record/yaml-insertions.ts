/** Inserts parts into the text of a YAML document, so that every character of it stays. */

import { type Document, type Node, isMap, isNode, isScalar, isSeq, stringify } from 'yaml';
import type { Addition } from './added-parts.js';

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
  for (const { at, inserted } of pieces.sort(lastFirst)) {
    written = written.slice(0, at) + inserted + written.slice(at);
  }
  return written;
}

interface Piece {
  readonly at: number;
  readonly column: number;
  readonly inserted: string;
}

/** From the end of the text to its start. At the end of an inner and an outer node, the text of the inner one comes first. */
const lastFirst = (one: Piece, other: Piece): number => other.at - one.at || one.column - other.column;

function setIn(
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
  const isEmptyValue = isScalar(node) && node.value === null;
  if (isEmptyValue && start === end)
    return [{ at: start, column: 0, inserted: ` ${JSON.stringify(members)}` }];
  if (!isMap(node) && !isSeq(node)) return [];
  const value = isMap(node) ? members : items;
  if (node.flow === true) {
    const last = lastNodeOf(node);
    const flow = JSON.stringify(value).slice(1, -1);
    return [
      { at: last?.range?.[1] ?? start + 1, column: 0, inserted: last === undefined ? flow : `, ${flow}` },
    ];
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

function lastNodeOf(node: Node): Node | undefined {
  const last: unknown = isMap(node)
    ? (node.items.at(-1)?.value ?? node.items.at(-1)?.key)
    : isSeq(node)
      ? node.items.at(-1)
      : undefined;
  return isNode(last) ? last : undefined;
}

/** How the document is indented. */
function styleOf(text: string): { readonly indent: number; readonly indentSeq: boolean } {
  const [, indent = '  '] = /^[^\s#-][^\n]*\r?\n( +)[^\s#-]/m.exec(text) ?? [];
  return { indent: indent.length, indentSeq: !/^( *)[^\s#-][^\n]*:[ \t]*\r?\n\1- /m.test(text) };
}
