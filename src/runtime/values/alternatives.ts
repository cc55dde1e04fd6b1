/** Finds the alternatives of schemas, and chooses among them. */

import type { Json } from '../contract/contract.js';
import type { CheckedKeyword } from '../contract/keywords.js';
import {
  type Part,
  type PlainPart,
  type Schema,
  isNever,
  isNull,
  listedValues,
  members,
  partIn,
  typesOf,
} from './parts.js';

/** A keyword with alternatives. */
export type Alternation = 'oneOf' | 'anyOf';

export const ALTERNATIONS: readonly Alternation[] = ['oneOf', 'anyOf'];

/** An alternative of a part, and the parts that hold beside it. */
export function alternative(part: PlainPart, keyword: Alternation, index: number): readonly Part[] {
  const schema = part.schema[keyword]?.[index];
  if (schema === undefined) return [];
  return [partIn(part, schema, keyword, index), ...(part.reader?.besides(part, schema) ?? [])];
}

/** The alternatives of each, null last. */
function alternatives(keyword: Alternation) {
  return (part: PlainPart): readonly (readonly Part[])[] => {
    const all = part.schema[keyword] ?? [];
    const rank = (index: number): number => Number(isNull(all[index] ?? true));
    return [...all.keys()]
      .toSorted((a, b) => rank(a) - rank(b))
      .map((index) => alternative(part, keyword, index));
  };
}

type Alternatives = (part: PlainPart, value: unknown) => readonly (readonly Part[])[];

/** The keywords that the compiler of checks adds: the alternative to null, and the schemas by the value of a property. */
type OwnKeyword = 'nullOr' | 'dispatch';

/**
 * How a value comes to fit each keyword: it is `made` so, it fits one of several alternatives, or it is `tried`, because it may not fit
 * although its parts do.
 */
export const WAYS: Readonly<Record<CheckedKeyword | OwnKeyword, 'made' | 'tried' | Alternatives>> = {
  oneOf: alternatives('oneOf'),
  anyOf: alternatives('anyOf'),
  nullOr: (part, value) => [[partIn(part, value as Schema)], [{ ...part, schema: { type: 'null' } }]],
  dispatch: (part, value) => {
    const { property, values } = part.schema['dispatchOn'] as {
      readonly property: string;
      readonly values: readonly (readonly Json[])[];
    };
    return (value as readonly Schema[]).map((branch, index) => {
      const named = (values[index] ?? []).filter((each) => (each as Json | undefined) !== undefined);
      return [{ ...part, schema: { properties: { [property]: { enum: named } } } }, partIn(part, branch)];
    });
  },
  if: (part, value) => {
    const branch = (keyword: 'then' | 'else'): Part =>
      partIn(part, (part.schema[keyword] ?? true) as Schema, keyword);
    return [
      [{ ...part, schema: { not: value } }, branch('else')],
      [partIn(part, value as Schema, 'if'), branch('then')],
    ];
  },
  dependentSchemas: dependent('dependentSchemas', (part, schema, name) =>
    partIn(part, schema as Schema, 'dependentSchemas', name),
  ),
  dependentRequired: dependent('dependentRequired', (part, required) => ({
    ...part,
    schema: { required: required as readonly string[] },
  })),
  not: 'tried',
  propertyNames: 'tried',
  minProperties: 'tried',
  maxProperties: 'tried',
  contains: 'tried',
  minContains: 'made',
  maxContains: 'made',
  maxItems: 'tried',
  uniqueItems: 'tried',
  minItems: 'made',
  $ref: 'made',
  allOf: 'made',
  then: 'made',
  else: 'made',
  type: 'made',
  const: 'made',
  enum: 'made',
  format: 'made',
  pattern: 'made',
  minLength: 'made',
  maxLength: 'made',
  minimum: 'made',
  maximum: 'made',
  exclusiveMinimum: 'made',
  exclusiveMaximum: 'made',
  multipleOf: 'made',
  required: 'made',
  properties: 'made',
  patternProperties: 'made',
  additionalProperties: 'made',
  unevaluatedProperties: 'made',
  items: 'made',
  prefixItems: 'made',
  unevaluatedItems: 'made',
};

/** Two alternatives: without the first property of a map, or with it and its consequence. Both have the rest of the map. */
function dependent(
  keyword: 'dependentSchemas' | 'dependentRequired',
  consequence: (part: PlainPart, value: unknown, name: string) => Part,
): Alternatives {
  return (part, value) => {
    const [[name, first] = [], ...others] = Object.entries(value as Readonly<Record<string, unknown>>);
    if (name === undefined) return [[]];
    const rest = others.length === 0 ? [] : [{ ...part, schema: { [keyword]: Object.fromEntries(others) } }];
    return [
      [{ ...part, schema: { properties: { [name]: false } } }, ...rest],
      [{ ...part, schema: { required: [name] } }, consequence(part, first, name), ...rest],
    ];
  };
}

/** The keywords whose second alternative has more: it fits the condition, so that its consequence applies. */
const CONDITIONAL: ReadonlySet<string> = new Set(['if', 'dependentSchemas', 'dependentRequired']);

/** The alternatives that are chosen: all, those of `oneOf` and `anyOf` only, or all and values that fit conditions first. */
export type Choice = 'all' | 'alternations' | 'full';

/** The parts with each alternative of the first keyword that has alternatives; undefined if no keyword has any. */
export function choicesOf(
  plain: readonly PlainPart[],
  choice: Choice = 'all',
): readonly (readonly Part[])[] | undefined {
  for (const [at, part] of plain.entries()) {
    for (const [keyword, value] of Object.entries(part.schema)) {
      const way = wayOf(keyword);
      const isChosen = choice !== 'alternations' || keyword === 'oneOf' || keyword === 'anyOf';
      if (typeof way !== 'function' || value === undefined || !isChosen) continue;
      const own = Object.entries(part.schema).filter(([other]) => other !== keyword);
      const others = plain.toSpliced(
        at,
        1,
        ...(own.length === 0 ? [] : [{ ...part, schema: Object.fromEntries(own) }]),
      );
      const all = way(part, value);
      const isReversed = choice === 'full' && CONDITIONAL.has(keyword);
      return (isReversed ? all.toReversed() : all).map((chosen) => [...others, ...chosen]);
    }
  }
  return undefined;
}

function wayOf(keyword: string): (typeof WAYS)[keyof typeof WAYS] | undefined {
  return Object.hasOwn(WAYS, keyword) ? WAYS[keyword as keyof typeof WAYS] : undefined;
}

/** Whether values that are made for parts without alternatives may not fit them. */
export function isTried({ schema }: PlainPart): boolean {
  return Object.keys(schema).some((keyword) => wayOf(keyword) === 'tried');
}

/** The maximum number of choices that are tried for one value, because nested alternatives multiply. */
const MOST_CHOICES = 1000;

/**
 * The parts with one alternative in place of each keyword that has some: every choice in turn. A choice whose types or listed values
 * contradict each other is left out.
 */
export function allChoices(parts: readonly Part[], choice: Choice): Generator<readonly PlainPart[]> {
  return choices(parts, choice, isContradiction, { left: MOST_CHOICES });
}

/** The first choice among the alternatives of `oneOf` and `anyOf` without a contradiction, or else the first choice. */
export function flattened(parts: readonly Part[]): readonly PlainPart[] {
  for (const isLeftOut of [isContradiction, () => false])
    for (const choice of choices(parts, 'alternations', isLeftOut, { left: MOST_CHOICES })) return choice;
  return [];
}

function* choices(
  parts: readonly Part[],
  choice: Choice,
  isLeftOut: (plain: readonly PlainPart[]) => boolean,
  budget: { left: number },
): Generator<readonly PlainPart[]> {
  budget.left -= 1;
  const plain = members(parts);
  if (budget.left < 0 || isLeftOut(plain)) return;
  const found = choicesOf(plain, choice);
  if (found === undefined) yield plain;
  else for (const each of found) yield* choices(each, choice, isLeftOut, budget);
}

/** Whether no value can fit the types and the listed values of all parts. */
function isContradiction(plain: readonly PlainPart[]): boolean {
  return (
    plain.some(({ schema }) => isNever(schema)) ||
    typesOf(plain)?.length === 0 ||
    listedValues(plain)?.length === 0
  );
}
