/** Chooses among the alternatives of schemas, finds the schemas of properties and items, and the depth of the smallest value. */

import { once } from '@concordat/runtime/parts';
import { KEYWORD_VALUES } from './keyword-values.js';
import {
  type Part,
  type PlainPart,
  type Schema,
  countsOf,
  impliedTypes,
  isNever,
  isNull,
  listedValues,
  members,
  partIn,
  referenceIn,
  remembered,
  schemaOf,
  typesOf,
} from './parts.js';
import { matchesPattern } from './texts.js';

/** The keywords whose second alternative has more: it fits the condition, so that its consequence applies. */
const CONDITIONAL: ReadonlySet<string> = new Set(['if', 'dependentSchemas', 'dependentRequired']);

/**
 * The alternatives that are chosen: all, those of `oneOf` and `anyOf` only, those of them with several beside null, or all and values
 * that fit conditions first.
 */
type Choice = 'all' | 'alternations' | 'several' | 'full';

/** The parts with each alternative of the first keyword that has alternatives; undefined if no keyword has any. */
export function choicesOf(
  plain: readonly PlainPart[],
  choice: Choice = 'all',
): readonly (readonly Part[])[] | undefined {
  for (const [at, part] of plain.entries()) {
    for (const [keyword, value] of Object.entries(part.schema)) {
      const way = rowOf(keyword).alternatives;
      const isAlternation = keyword === 'oneOf' || keyword === 'anyOf';
      if (way === undefined || value === undefined) continue;
      if ((choice === 'alternations' || choice === 'several') && !isAlternation) continue;
      if (choice === 'several' && (value as readonly Schema[]).filter((each) => !isNull(each)).length < 2)
        continue;
      const own = Object.entries(part.schema).filter(([other]) => other !== keyword);
      const left = own.length === 0 ? [] : [{ ...part, schema: Object.fromEntries(own) }];
      const others = plain.toSpliced(at, 1, ...left);
      const all = way(part, value);
      const isReversed = choice === 'full' && CONDITIONAL.has(keyword);
      return (isReversed ? all.toReversed() : all).map((chosen) => [...others, ...chosen]);
    }
  }
  return undefined;
}

function rowOf(keyword: string): (typeof KEYWORD_VALUES)[keyof typeof KEYWORD_VALUES] {
  return Object.hasOwn(KEYWORD_VALUES, keyword) ? KEYWORD_VALUES[keyword as keyof typeof KEYWORD_VALUES] : {};
}

/** Whether values that are made for parts without alternatives may not fit them. */
export function isTried({ schema }: PlainPart): boolean {
  return Object.keys(schema).some((keyword) => rowOf(keyword).isTried === true);
}

/** The maximum number of choices that are tried for one value, because nested alternatives multiply. */
const MOST_CHOICES = 1000;

/**
 * The parts with one alternative in place of each keyword that has some: every choice in turn. A choice whose types or listed values
 * contradict each other is left out.
 */
export const allChoices = (parts: readonly Part[], choice: Choice): Generator<readonly PlainPart[]> =>
  choices(parts, choice, isContradiction, { left: MOST_CHOICES });

/** The first choice among the alternatives of `oneOf` and `anyOf` without a contradiction, or else the first choice. */
export const flattened = (parts: readonly Part[]): readonly PlainPart[] => once(parts, flatten);

function flatten(parts: readonly Part[]): readonly PlainPart[] {
  return remembered(parts, `flat ${parts.map(({ at }) => at).join(' ')}`, () => {
    for (const isLeftOut of [isContradiction, () => false])
      for (const choice of choices(parts, 'alternations', isLeftOut, { left: MOST_CHOICES })) return choice;
    return [];
  });
}

/** Many values have the same schemas. */
const plainOf = (parts: readonly Part[]): readonly PlainPart[] =>
  remembered(parts, `plain ${parts.map(({ at }) => at).join(' ')}`, () => members(parts));

function* choices(
  parts: readonly Part[],
  choice: Choice,
  isLeftOut: (plain: readonly PlainPart[]) => boolean,
  budget: { left: number },
): Generator<readonly PlainPart[]> {
  const plain = once(parts, plainOf);
  // Each choice among the alternatives of large schemas takes longer.
  budget.left -= Math.max(1, plain.length / 100);
  if (budget.left < 0 || isLeftOut(plain)) return;
  const found = choicesOf(plain, choice);
  if (found === undefined) yield plain;
  else for (const each of found) yield* choices(each, choice, isLeftOut, budget);
}

/** Whether no value can fit the types and the listed values of all parts. */
const isContradiction = (plain: readonly PlainPart[]): boolean =>
  plain.some(({ schema }) => isNever(schema)) ||
  typesOf(plain)?.length === 0 ||
  listedValues(plain)?.length === 0;

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

export const requiredNames = (plain: readonly PlainPart[]): ReadonlySet<string> =>
  new Set(plain.flatMap(({ schema }) => schema.required ?? []));

/** The names of properties, or of their patterns. */
export const namesIn = (
  plain: readonly PlainPart[],
  keyword: 'properties' | 'patternProperties',
): readonly string[] => plain.flatMap(({ schema }) => Object.keys(schema[keyword] ?? {}));

/** The number of items that schemas have one by one. */
export const prefixLength = (plain: readonly PlainPart[]): number =>
  Math.max(0, ...plain.map(({ schema: { prefixItems = [] } }) => prefixItems.length));

/** Whether the items after the prefix can have no value, because no part evaluates them. */
export function endsAtPrefix(plain: readonly PlainPart[]): boolean {
  const isClosed = plain.some(({ schema }) => schema['unevaluatedItems'] === false);
  return isClosed && !plain.some(({ schema }) => 'items' in schema);
}

/** Deeper values are not made, because a schema that requires itself has no finite value. */
const DEEPEST = 16;

/** The number of levels below the smallest value; Infinity if no value has at most `most` levels. */
export function heightOf(parts: readonly Part[] | undefined, most = DEEPEST): number {
  if (parts === undefined || most < 0) return Infinity;
  const check = referenceIn(parts);
  if (check === undefined) return measured(members(parts), most);
  // By the most that were looked for.
  const known = once(check, newHeights);
  const height = known.get(most) ?? measured(members([{ schema: schemaOf(check), at: '' }]), most);
  known.set(most, height);
  return height;
}

const newHeights = (): Map<number, number> => new Map();

function measured(plain: readonly PlainPart[], most: number): number {
  if (plain.some(({ schema }) => isNever(schema))) return Infinity;
  const choices = choicesOf(plain);
  if (choices !== undefined) return Math.min(...choices.map((choice) => heightOf(choice, most)));
  const listed = listedValues(plain);
  if (listed !== undefined) return listed.length === 0 ? Infinity : 0;
  if (plain.some(({ schema }) => 'arbitrary' in schema)) return 0;
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
