/** Writes the keywords that hold no schemas: types, values, bounds of numbers, lengths and patterns of strings. */
import { formatOf } from '../formats/format-table.js';
import { type Code, code, regExp, scalarLiteral, stringLiteral } from '../text/code.js';
import { literal } from '../text/literal.js';
import { type Condition, type Conditions, ALWAYS, all, any, condition, not } from './condition.js';
import type { Scope } from './scope.js';
import { type Kind, type Kinds, only, typesOf } from './kinds.js';
import type { SchemaObject } from './linked-schema.js';

const EMPTY = stringLiteral('');

/** The number of values from which a set is used instead of comparisons. */
const MANY_VALUES = 12;

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
      return condition(code`${value} === null`, code`${value} !== null`);
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
      return condition(
        code`typeof ${value} === ${stringLiteral(type)}`,
        code`typeof ${value} !== ${stringLiteral(type)}`,
      );
  }
}

/** `const`, `enum`, and the keywords for numbers and strings. */
export function leafConditions(scope: Scope, schema: SchemaObject, value: Code, kinds: Kinds): Conditions {
  return [
    ...('const' in schema ? [isOneOf(scope, [schema['const']], value)] : []),
    ...(Array.isArray(schema['enum']) ? [isOneOf(scope, schema['enum'], value)] : []),
    ...forKind('number', value, kinds, numberConditions(scope, schema, value)),
    ...forKind('string', value, kinds, textConditions(scope, schema, value)),
  ];
}

function forKind(kind: Kind, value: Code, kinds: Kinds, conditions: Conditions): Conditions {
  if (conditions.length === 0 || !kinds.has(kind)) return [];
  if (only(kinds, kind)) return conditions;
  return [
    any([
      condition(
        code`typeof ${value} !== ${stringLiteral(kind)}`,
        code`typeof ${value} === ${stringLiteral(kind)}`,
      ),
      all(conditions),
    ]),
  ];
}

function isOneOf(scope: Scope, values: readonly unknown[], value: Code): Condition {
  const plain = [...new Set(values.filter((each) => typeof each !== 'object' || each === null))];
  const structures = values.filter((each) => typeof each === 'object' && each !== null);
  const among =
    plain.length > MANY_VALUES
      ? [condition(code`${scope.constant('values', code`new Set(${scalarLiteral(plain)})`)}.has(${value})`)]
      : plain.map((each) => same(value, scalarLiteral(each)));
  const equal = structures.map((each) =>
    condition(code`${scope.helper('isEqual')}(${value}, ${scope.constant('values', literal(each))})`),
  );
  return any([...among, ...equal]);
}

/** True when a value equals a literal. */
export function same(value: Code, other: Code): Condition {
  return condition(code`${value} === ${other}`, code`${value} !== ${other}`);
}

function numberConditions(scope: Scope, schema: SchemaObject, value: Code): Conditions {
  const conditions: Condition[] = [];
  const bound = (keyword: string, holds: Code, fails: Code): void => {
    const limit = schema[keyword];
    if (typeof limit === 'number')
      conditions.push(condition(code`${value} ${holds} ${limit}`, code`${value} ${fails} ${limit}`));
  };
  bound('maximum', code`<=`, code`>`);
  bound('minimum', code`>=`, code`<`);
  bound('exclusiveMaximum', code`<`, code`>=`);
  bound('exclusiveMinimum', code`>`, code`<=`);
  const step = schema['multipleOf'];
  if (typeof step === 'number')
    conditions.push(condition(code`${scope.helper('isMultiple')}(${value}, ${step}, ${wholeScale(step)})`));
  return [...conditions, ...formatConditions(scope, schema, value, 'number')];
}

/** The power of ten that turns a number into an integer; Infinity if that power is not exact. */
function wholeScale(step: number): number {
  const [mantissa = '', exponent = '0'] = String(step).split('e');
  const places = Math.max(0, (mantissa.split('.')[1] ?? '').length - Number(exponent));
  return places > 22 ? Infinity : 10 ** places;
}

function textConditions(scope: Scope, schema: SchemaObject, value: Code): Conditions {
  const { maxLength, minLength, pattern } = schema;
  const conditions: Condition[] = [];
  // A string has at most as many characters as code units and at least half as many, so most need no counting.
  const units = code`${value}.length`;
  const characters = (): Code => code`${scope.helper('codePoints')}(${value})`;
  if (typeof maxLength === 'number') {
    const limit = (count: Code): Condition =>
      condition(code`${count} <= ${maxLength}`, code`${count} > ${maxLength}`);
    conditions.push(maxLength === 0 ? same(value, EMPTY) : any([limit(units), limit(characters())]));
  }
  if (typeof minLength === 'number' && minLength > 0) {
    const limit = (count: Code, least: number): Condition =>
      condition(code`${count} >= ${least}`, code`${count} < ${least}`);
    conditions.push(
      minLength === 1
        ? not(same(value, EMPTY))
        : any([limit(units, 2 * minLength - 1), limit(characters(), minLength)]),
    );
  }
  if (typeof pattern === 'string') conditions.push(matches(scope, pattern, value));
  return [...conditions, ...formatConditions(scope, schema, value, 'string')];
}

/** True when a string matches a pattern of the contract. */
export function matches(scope: Scope, pattern: string, text: Code): Condition {
  return condition(code`${scope.constant('pattern', regExp(patternExpression(pattern)))}.test(${text})`);
}

function formatConditions(
  scope: Scope,
  { format }: SchemaObject,
  value: Code,
  kind: 'number' | 'string',
): Conditions {
  const test = formatOf(format)?.tests[kind];
  return test === undefined ? [] : [condition(code`${scope.helper(test)}(${value})`)];
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
