/** Finds the schemas of the properties and items of a value, and the depth of its smallest value. */

import type { Check } from '@concordat/runtime';
import { choicesOf } from './alternatives.js';
import {
  type Part,
  type PlainPart,
  type Schema,
  countsOf,
  impliedTypes,
  isNever,
  listedValues,
  members,
  partIn,
  referenceIn,
  schemaOf,
  typesOf,
} from './parts.js';
import { matchesPattern } from './texts.js';

/** The schemas of a property; undefined if a part allows no property of that name. */
export function propertyParts(plain: readonly PlainPart[], name: string): readonly Part[] | undefined {
  const found = plain.flatMap((part): readonly Part[] => {
    const { properties = {}, patternProperties = {}, additionalProperties: rest } = part.schema;
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const named = [
      ...(own === undefined ? [] : [partIn(part, own, 'properties', name)]),
      ...Object.entries(patternProperties as Readonly<Record<string, Schema>>)
        .filter(([pattern]) => matchesPattern(pattern, name))
        .map(([pattern, schema]) => partIn(part, schema, 'patternProperties', pattern)),
    ];
    return named.length > 0 || rest === undefined ? named : [partIn(part, rest, 'additionalProperties')];
  });
  return found.some(({ schema }) => isNever(schema)) ? undefined : found;
}

/** The schemas of the item at an index. */
export function itemParts(plain: readonly PlainPart[], index: number): readonly Part[] {
  return plain.flatMap((part): readonly Part[] => {
    const { prefixItems = [], items } = part.schema;
    const prefix = prefixItems[index];
    if (prefix !== undefined) return [partIn(part, prefix, 'prefixItems', index)];
    return items === undefined ? [] : [partIn(part, items, 'items')];
  });
}

/** The schemas that some items must fit, each with their least number. */
export function containedParts(
  plain: readonly PlainPart[],
): readonly { readonly part: Part; readonly count: number }[] {
  return plain.flatMap((part) => {
    const { contains, minContains } = part.schema;
    if (contains === undefined) return [];
    const count = typeof minContains === 'number' ? minContains : 1;
    return [{ part: partIn(part, contains as Schema, 'contains'), count }];
  });
}

export function requiredNames(plain: readonly PlainPart[]): ReadonlySet<string> {
  return new Set(plain.flatMap(({ schema }) => schema.required ?? []));
}

/** The names of properties, or of their patterns. */
export function namesIn(
  plain: readonly PlainPart[],
  keyword: 'properties' | 'patternProperties',
): readonly string[] {
  return plain.flatMap(({ schema }) => Object.keys(schema[keyword] ?? {}));
}

/** The number of items that schemas have one by one. */
export function prefixLength(plain: readonly PlainPart[]): number {
  return Math.max(0, ...plain.map(({ schema: { prefixItems = [] } }) => prefixItems.length));
}

/** Whether the items after the prefix can have no value, because no part evaluates them. */
export function endsAtPrefix(plain: readonly PlainPart[]): boolean {
  const isClosed = plain.some(({ schema }) => schema['unevaluatedItems'] === false);
  return isClosed && !plain.some(({ schema }) => 'items' in schema);
}

/** Deeper values are not made, because a schema that requires itself has no finite value. */
const DEEPEST = 16;

const heights = new WeakMap<Check, Map<number, number>>();

/** The number of levels below the smallest value; Infinity if no value has at most `most` levels. */
export function heightOf(parts: readonly Part[] | undefined, most = DEEPEST): number {
  if (parts === undefined || most < 0) return Infinity;
  const check = referenceIn(parts);
  if (check === undefined) return measured(members(parts), most);
  const known = heights.get(check) ?? new Map<number, number>();
  heights.set(check, known);
  const height = known.get(most) ?? measured(members([{ schema: schemaOf(check), at: '' }]), most);
  known.set(most, height);
  return height;
}

function measured(plain: readonly PlainPart[], most: number): number {
  if (plain.some(({ schema }) => isNever(schema))) return Infinity;
  const choices = choicesOf(plain);
  if (choices !== undefined) return Math.min(...choices.map((choice) => heightOf(choice, most)));
  const listed = listedValues(plain);
  if (listed !== undefined) return listed.length === 0 ? Infinity : 0;
  if (plain.some(({ schema }) => 'draw' in schema)) return 0;
  const highest = (inner: readonly (readonly Part[] | undefined)[]): number =>
    Math.max(0, ...inner.map((each) => 1 + heightOf(each, most - 1)));
  const heightsOf: Readonly<Record<string, () => number>> = {
    object: () => highest([...requiredNames(plain)].map((name) => propertyParts(plain, name))),
    array: () => {
      const prefix = prefixLength(plain);
      const { least } = countsOf(plain, 'Items');
      if (least > prefix && endsAtPrefix(plain)) return Infinity;
      const items = [...Array(Math.min(least, prefix + 1)).keys()].map((index) => itemParts(plain, index));
      const contained = containedParts(plain).filter(({ count }) => count > 0);
      return highest([...items, ...contained.map(({ part }) => [part])]);
    },
  };
  return Math.min(...(typesOf(plain) ?? impliedTypes(plain)).map((type) => heightsOf[type]?.() ?? 0));
}
