/** Writes the keywords that hold no schemas, a row for each, as conditions. */
import {
  type AssertionKeyword,
  BOUNDS,
  type BoundKeyword,
  COUNTS,
  type Comparison,
  type CountKeyword,
  type JsonType,
  restrictedType,
  tableOf,
} from '@concordat/runtime/parts';
import { formatOf } from '../formats/format-table.js';
import { type Code, accessor, code, regExp, scalarLiteral, stringLiteral } from '../../text/code.js';
import { literal } from '../../text/literal.js';
import { type Condition, type Conditions, ALWAYS, all, any, condition, not } from './condition.js';
import type { Scope } from './scope.js';
import { type Kinds, only, typesOf } from './surroundings.js';
import { nameList, type SchemaObject } from './linked-schema.js';

/** The number of values from which a set is used instead of comparisons. */
const MANY_VALUES = 12;

const OPERATORS: Readonly<Record<Comparison, readonly [operator: Code, negated: Code]>> = {
  '<=': [code`<=`, code`>`],
  '>=': [code`>=`, code`<`],
  '<': [code`<`, code`>=`],
  '>': [code`>`, code`<=`],
};

/** True when a number of the value is on the right side of a limit. */
export function compared(number: Code, comparison: Comparison, limit: number): Condition {
  const [operator, negated] = OPERATORS[comparison];
  return condition(code`${number} ${operator} ${limit}`, code`${number} ${negated} ${limit}`);
}

/** True when a value has one of the schema's types. */
export function typeCondition(scope: Scope, schema: SchemaObject, value: Code, kinds: Kinds): Condition {
  const types = typesOf(schema);
  if (types === undefined || [...kinds].every((kind) => types.includes(kind))) return ALWAYS;
  const distinct = new Set(types.includes('number') ? types.filter((type) => type !== 'integer') : types);
  return any([...distinct].map((type) => isOfType(scope, value, type)));
}

function isOfType(scope: Scope, value: Code, type: string): Condition {
  switch (type) {
    case 'null':
      return same(value, code`null`);
    case 'integer':
      return condition(code`Number.isInteger(${value})`);
    case 'number':
      // JSON.parse turns 1e999 into Infinity, which is not a JSON number.
      return condition(code`Number.isFinite(${value})`);
    case 'array':
      return condition(code`Array.isArray(${value})`);
    case 'object':
      return condition(code`${scope.helper('isObject')}(${value})`);
    default:
      return same(code`typeof ${value}`, stringLiteral(type));
  }
}

/** The value whose conditions are written. */
interface Target {
  readonly scope: Scope;
  readonly value: Code;
  readonly kind: JsonType | undefined;
  /** Required names that are checked elsewhere. */
  readonly settled: ReadonlySet<string>;
}

type Writer = (given: unknown, target: Target) => Conditions;

const bound =
  (keyword: BoundKeyword): Writer =>
  (given, { value }) => [compared(value, BOUNDS[keyword].comparison, Number(given))];

const count =
  (keyword: CountKeyword): Writer =>
  (given, target) => {
    const { comparison, unit } = COUNTS[keyword];
    return comparison === '>=' && given === 0 ? [] : [SIZES[unit](target, comparison, Number(given))];
  };

type Size = (target: Target, comparison: '<=' | '>=', limit: number) => Condition;

const SIZES: Readonly<Record<(typeof COUNTS)[CountKeyword]['unit'], Size>> = {
  characters: ({ scope, value }, comparison, limit) => {
    const isEmpty = same(value, stringLiteral(''));
    if (comparison === '<=' && limit === 0) return isEmpty;
    if (comparison === '>=' && limit === 1) return not(isEmpty);
    // A string has at most as many characters as code units and at least half as many, so most need no counting.
    const units = comparison === '>=' ? 2 * limit - 1 : limit;
    const characters = code`${scope.helper('codePoints')}(${value})`;
    return any([compared(code`${value}.length`, comparison, units), compared(characters, comparison, limit)]);
  },
  items: ({ value }, ...limit) => compared(code`${value}.length`, ...limit),
  properties: ({ value }, ...limit) => compared(code`Object.keys(${value}).length`, ...limit),
};

/** The type is tested first, and the number of fitting items with `contains`. */
type Written = Exclude<AssertionKeyword, 'type' | 'minContains' | 'maxContains'>;

/** In the order in which they are tested. */
const WRITERS: Readonly<Record<Written, Writer>> = {
  const: (given, { scope, value }) => [isOneOf(scope, [given], value)],
  enum: (given, { scope, value }) => [isOneOf(scope, given as readonly unknown[], value)],
  ...tableOf(BOUNDS, bound),
  multipleOf: (given, { scope, value }) => {
    const step = Number(given);
    return [condition(code`${scope.helper('isMultiple')}(${value}, ${step}, ${wholeScale(step)})`)];
  },
  ...tableOf(COUNTS, count),
  pattern: (given, { scope, value }) => [matches(scope, String(given), value)],
  format: (given, { scope, value, kind }) => {
    const test = kind === 'number' || kind === 'string' ? formatOf(given)?.tests[kind] : undefined;
    return test === undefined ? [] : [condition(code`${scope.helper(test)}(${value})`)];
  },
  uniqueItems: (_, { scope, value }) => [condition(code`${scope.helper('isUnique')}(${value})`)],
  required: (given, { scope, value, settled }) =>
    [...new Set(nameList(given))].flatMap((name) => (settled.has(name) ? [] : [isThere(scope, value, name)])),
  dependentRequired: (given, { scope, value }) =>
    Object.entries(given as SchemaObject).flatMap(([name, needed]) => {
      const others = nameList(needed).map((other) => isThere(scope, value, other));
      return others.length === 0 ? [] : [any([not(isThere(scope, value, name)), all(others)])];
    }),
};

const ROWS = Object.entries(WRITERS) as readonly (readonly [Written, Writer])[];

/** The conditions of the keywords that restrict values of one kind, or those of the keywords for all kinds. */
export function assertionConditions(
  scope: Scope,
  schema: SchemaObject,
  value: Code,
  kind?: JsonType,
  settled: ReadonlySet<string> = new Set(),
): Conditions {
  return ROWS.flatMap(([keyword, write]) => {
    const isMeant = restrictedType(keyword) === kind || (keyword === 'format' && kind !== undefined);
    return isMeant && keyword in schema ? write(schema[keyword], { scope, value, kind, settled }) : [];
  });
}

/** `const`, `enum`, and the keywords for numbers and strings. */
export function leafConditions(scope: Scope, schema: SchemaObject, value: Code, kinds: Kinds): Conditions {
  const forKind = (kind: 'number' | 'string'): Conditions => {
    const conditions = assertionConditions(scope, schema, value, kind);
    if (conditions.length === 0 || !kinds.has(kind)) return [];
    if (only(kinds, kind)) return conditions;
    return [any([not(same(code`typeof ${value}`, stringLiteral(kind))), all(conditions)])];
  };
  return [...assertionConditions(scope, schema, value), ...forKind('number'), ...forKind('string')];
}

function isOneOf(scope: Scope, values: readonly unknown[], value: Code): Condition {
  const plain = [...new Set(values.filter((each) => typeof each !== 'object' || each === null))];
  const structures = values.filter((each) => typeof each === 'object' && each !== null);
  const among =
    plain.length > MANY_VALUES
      ? [isInSet(scope, plain, value)]
      : plain.map((each) => same(value, scalarLiteral(each)));
  const equal = structures.map((each) =>
    condition(code`${scope.helper('isEqual')}(${value}, ${scope.constant('values', literal(each), value)})`),
  );
  return any([...among, ...equal]);
}

/** True when a value is among many scalars. */
export function isInSet(scope: Scope, values: readonly unknown[], value: Code): Condition {
  const set = scope.constant('values', code`new Set(${scalarLiteral(values)})`, value);
  return condition(code`${set}.has(${value})`);
}

/** True when a value equals a literal. */
export function same(value: Code, other: Code): Condition {
  return condition(code`${value} === ${other}`, code`${value} !== ${other}`);
}

/** The expression that reads an own property, or gives `undefined`. */
export function member(scope: Scope, object: Code, name: string): Code {
  // Every object inherits these names, and `__proto__` is an accessor.
  if (name in Object.prototype) return code`${scope.helper('own')}(${object}, ${stringLiteral(name)})`;
  return code`${object}${accessor(name)}`;
}

export function isPresent(read: Code): Condition {
  return not(same(read, code`undefined`));
}

export function isThere(scope: Scope, object: Code, name: string): Condition {
  return isPresent(member(scope, object, name));
}

/** The power of ten that turns a number into an integer; Infinity if that power is not exact. */
function wholeScale(step: number): number {
  const [mantissa = '', exponent = '0'] = String(step).split('e');
  const places = Math.max(0, (mantissa.split('.')[1] ?? '').length - Number(exponent));
  return places > 22 ? Infinity : 10 ** places;
}

/** True when a string matches a pattern of the contract. */
export function matches(scope: Scope, pattern: string, text: Code): Condition {
  return condition(
    code`${scope.constant('pattern', regExp(patternExpression(pattern)), text)}.test(${text})`,
  );
}

/**
 * The regular expression of a pattern: ECMA-262 with the flag `u`, as 2020-12 requires. If that does not compile, the flag is left out,
 * because many patterns have escapes that `u` forbids, such as `\-`.
 *
 * @throws SyntaxError when neither compiles
 */
export function patternExpression(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return new RegExp(pattern);
  }
}
