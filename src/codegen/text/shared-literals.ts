/** Finds equal parts of values that are printed as literals, so that each is written once, as a constant. */

import { type Code, identifier } from './code.js';
import { camelCase, freeIdentifier } from './identifiers.js';
import { Verbatim } from './literal.js';

/** Shorter parts are repeated: their constant and its name would be no shorter. */
const LEAST_LENGTH = 50;

/** An object or list. Equal ones have one node. */
interface Node {
  readonly entries: readonly (readonly [key: string, value: unknown])[];
  readonly isList: boolean;
  /** Of its text, if no part of it is a constant. */
  readonly length: number;
  /** The name that its constant gets. */
  readonly hint: string;
  /** Whether it stays in its place. */
  readonly isWhole: boolean;
  /** In how many places it is written. */
  uses: number;
  made?: unknown;
}

type Constant = readonly [name: Code, value: object];

/**
 * Values in which repeated parts are names of constants, each with the constants to declare before it.
 *
 * @param values - the names and values of constants, in their order
 * @param taken - the names in the scope of the constants; theirs are added
 * @param options.prefix - of the names of the constants
 * @param options.whole - the names of members that stay in their place even if they are repeated, for the reader
 */
export function sharedLiterals(
  values: readonly Constant[],
  taken: Set<string>,
  { prefix = '', whole = [] }: { readonly prefix?: string; readonly whole?: readonly string[] } = {},
): readonly { readonly name: Code; readonly value: object; readonly parts: readonly Constant[] }[] {
  const nodes = new Map<string, Node>();
  const ids = new Map<Node, number>();

  const add = (value: unknown, key: string): unknown => {
    if (typeof value !== 'object' || value === null || value instanceof Verbatim) return value;
    const isList = Array.isArray(value);
    const entries = Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([name, item]) => [name, add(item, isList ? key : name)] as const);
    const texts = entries.map(([name, item]) => (isList ? '' : `${JSON.stringify(name)}: `) + textOf(item));
    const text = isList ? `[${texts.join(', ')}]` : `{ ${texts.join(', ')} }`;
    const known = nodes.get(text);
    if (known !== undefined) return known;
    const inner = entries.map(
      ([name, item]) => name.length + (isNode(item) ? item.length : textOf(item).length),
    );
    const { name } = value as { readonly name?: unknown };
    const hint = typeof name === 'string' ? name : /^\d/.test(key) ? `response ${key}` : key;
    const length = inner.reduce((sum, each) => sum + each + 4, 4);
    const node = { entries, isList, length, hint, isWhole: whole.includes(key), uses: 0 };
    nodes.set(text, node);
    ids.set(node, ids.size);
    for (const [, item] of entries) if (isNode(item)) item.uses += 1;
    return node;
  };
  const isNode = (value: unknown): value is Node => ids.has(value as Node);
  const textOf = (value: unknown): string =>
    isNode(value)
      ? `#${String(ids.get(value))}`
      : value instanceof Verbatim
        ? value.code
        : JSON.stringify(value);

  const made = (value: unknown, constants: Constant[]): unknown => {
    if (!isNode(value)) return value;
    if (value.made !== undefined) return value.made;
    const entries = value.entries.map(([name, item]) => [name, made(item, constants)] as const);
    const own = value.isList ? entries.map(([, item]) => item) : Object.fromEntries(entries);
    value.made = own;
    if (value.uses > 1 && !value.isWhole && value.length >= LEAST_LENGTH) {
      const name = identifier(freeIdentifier(prefix + camelCase(value.hint), taken, '_'));
      constants.push([name, own]);
      value.made = new Verbatim(name);
    }
    return value.made;
  };

  const roots = values.map(([name, value]) => [name, add(value, name)] as const);
  return roots.map(([name, root]) => {
    const parts: Constant[] = [];
    return { name, value: made(root, parts) as object, parts };
  });
}
