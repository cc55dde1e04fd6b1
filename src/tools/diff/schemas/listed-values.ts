/** The values that schemas list: by `const` and `enum`, or by alternatives that only list values. */

import type { Json } from '@concordat/runtime';
import { joinPointer } from 'concordat/contract';
import { type Alternation, alternative } from '../../values/keyword-values.js';
import { type PlainPart, members } from '../../values/parts.js';

export interface Listed {
  readonly value: readonly Json[];
  readonly at: string;
  /** Whether the values follow from the type instead of a list: those of `boolean` or null, or of a short range. */
  readonly isOfType?: true;
}

export function listsOf({ schema, at }: PlainPart): readonly Listed[] {
  return [
    ...(schema.const === undefined ? [] : [{ value: [schema.const], at: joinPointer(at, 'const') }]),
    ...(schema.enum === undefined ? [] : [{ value: schema.enum, at: joinPointer(at, 'enum') }]),
  ];
}

/** Keywords beside a list of values that do not restrict the values further, if these have the type. */
const BESIDE_LIST = new Set('const enum type title description deprecated example examples'.split(' '));

/** The values of alternatives, if all of them only list values. */
export function listOfAlternatives(part: PlainPart, keyword: Alternation): Listed | undefined {
  const lists = (part.schema[keyword] ?? []).map((_, index) => {
    const found = members(alternative(part, keyword, index));
    const isPlain = found.every(({ schema }) =>
      Object.keys(schema).every((each) => BESIDE_LIST.has(each) || each.startsWith('x-')),
    );
    const [list, ...others] = isPlain ? found.flatMap(listsOf) : [];
    return others.length === 0 ? list : undefined;
  });
  if (lists.length === 0 || lists.includes(undefined)) return undefined;
  const value = lists.flatMap((list) => list?.value ?? []);
  return { value, at: joinPointer(part.at, keyword) };
}

/** The numbers of a longer range are not listed. */
const MOST_LISTED = 100;

/** The whole numbers of a range; empty if there are too many. */
export function wholeNumbers(least: number, most: number): readonly number[] {
  const count = most - least + 1;
  return count > 0 && count <= MOST_LISTED ? Array.from({ length: count }, (_, index) => least + index) : [];
}

export function isOf(value: Json, type: string): boolean {
  const own = typeOf(value);
  return own === type || (own === 'integer' && type === 'number');
}

export function typeOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value;
}
