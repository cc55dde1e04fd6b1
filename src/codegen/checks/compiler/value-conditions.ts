/** Writes schemas that need no statements as conditions. */
import type { ApplicatorTo, JsonType } from '@concordat/runtime/parts';
import { assertionConditions, leafConditions, same, typeCondition } from './assertion-conditions.js';
import {
  ALWAYS,
  NEVER,
  all,
  any,
  condition,
  exactlyOne,
  not,
  type Condition,
  type Conditions,
} from './condition.js';
import { type Code, code } from '../../text/code.js';
import { ANY_KIND, narrowed, only, type Kinds } from './surroundings.js';
import { APPLIED, heldSchemas, schemaOf, type LinkedSchema, type SchemaObject } from './linked-schema.js';
import type { Scope } from './scope.js';

/** Keywords that need a variable, a loop or a write. */
const STATEMENTS = [
  ...Object.entries(APPLIED).flatMap(([keyword, { appliesTo }]) => (appliesTo === 'value' ? [] : [keyword])),
  'dependentSchemas',
  'dispatch',
];

/** True when a schema cannot be written as one condition. */
export function needsStatements(schema: LinkedSchema): boolean {
  if (typeof schema === 'boolean') return false;
  const isPart = (keyword: string): boolean =>
    keyword in schema && heldSchemas(keyword, schema[keyword]).some(needsStatements);
  return STATEMENTS.some((keyword) => keyword in schema) || ['allOf', 'then', 'else', 'nullOr'].some(isPart);
}

/**
 * The condition that a value fits a schema. A schema that needs statements becomes a function.
 *
 * @param step the position of the schema inside the function's schema: `oneOf0`
 */
export function fits(scope: Scope, schema: LinkedSchema, value: Code, kinds: Kinds, step: string): Condition {
  if (typeof schema === 'boolean') return schema ? ALWAYS : NEVER;
  if (needsStatements(schema)) return condition(code`${scope.hoisted(schema, step)}(${value})`);
  const inside = narrowed(kinds, schema);
  // In the order in which they are tried.
  return all([
    typeCondition(scope, schema, value, kinds),
    ...leafConditions(scope, schema, value, inside),
    ...inPlaceConditions(scope, schema, value, inside),
    guarded(scope, 'array', schema, value, inside),
    guarded(scope, 'object', schema, value, inside),
  ]);
}

/** A schema that is written for a value. */
interface Target {
  readonly scope: Scope;
  readonly schema: SchemaObject;
  readonly value: Code;
  readonly kinds: Kinds;
}

type Writer = (target: Target, keyword: string) => Conditions;

/** The keywords that apply schemas to the same value; `then` and `else` are written with `if`. */
export type InPlace =
  | Exclude<ApplicatorTo<'value'>, 'then' | 'else' | 'dependentSchemas'>
  | ('$ref' | 'readOnly' | 'writeOnly' | 'nullOr');

/** In the order in which they are tried. */
const WRITERS: Readonly<Record<InPlace, Writer>> = {
  not: (target) => eachFits(target, 'not', () => 'not').map(not),
  anyOf: (target) => [any(eachFits(target, 'anyOf'))],
  oneOf: (target) => [exactlyOne(eachFits(target, 'oneOf'))],
  $ref: ({ scope, schema, value }) => [referenced(scope, String(schema['$ref']), value)],
  readOnly: () => [NEVER],
  writeOnly: () => [NEVER],
  allOf: (target) => eachFits(target, 'allOf'),
  nullOr: (target) => [any([same(target.value, code`null`), ...eachFits(target, 'nullOr', () => 'nullOr')])],
  if: branchCondition,
};

/** The conditions of schemas for the same value. @param leftOut keywords that the caller writes as statements */
export function inPlaceConditions(
  scope: Scope,
  schema: SchemaObject,
  value: Code,
  kinds: Kinds,
  leftOut: readonly string[] = [],
): Conditions {
  return Object.entries(WRITERS).flatMap(([keyword, write]) =>
    keyword in schema && !leftOut.includes(keyword) ? write({ scope, schema, value, kinds }, keyword) : [],
  );
}

function eachFits(
  { scope, schema, value, kinds }: Target,
  keyword: string,
  step = (index: number): string => `${keyword}${index}`,
): Conditions {
  return heldSchemas(keyword, schema[keyword]).map((each, index) =>
    fits(scope, each, value, kinds, step(index)),
  );
}

function referenced(scope: Scope, id: string, value: Code): Condition {
  const schema = scope.schema(id);
  if (typeof schema === 'boolean') return schema ? ALWAYS : NEVER;
  return condition(code`${scope.call(id)}(${value})`);
}

function branchCondition({ scope, schema, value, kinds }: Target): Conditions {
  const asked = schemaOf(schema, 'if') ?? true;
  const [yes, no] = [schemaOf(schema, 'then') ?? true, schemaOf(schema, 'else') ?? true];
  if (yes === true && no === true) return [];
  const when = fits(scope, asked, value, kinds, 'if');
  const then = fits(scope, yes, value, kinds, 'then');
  const otherwise = fits(scope, no, value, kinds, 'else');
  if (no === true) return [any([not(when), then])];
  if (yes === true) return [any([when, otherwise])];
  const spelled = (side: 'holds' | 'fails'): Code =>
    code`(${when.holds.text} ? ${then[side].text} : ${otherwise[side].text})`;
  return [condition(spelled('holds'), spelled('fails'))];
}

/** The conditions on a list or an object as a whole. */
function guarded(scope: Scope, kind: JsonType, schema: SchemaObject, value: Code, kinds: Kinds): Condition {
  const conditions = assertionConditions(scope, schema, value, kind);
  if (conditions.length === 0 || !kinds.has(kind)) return ALWAYS;
  if (only(kinds, kind)) return all(conditions);
  return any([not(typeCondition(scope, { type: kind }, value, ANY_KIND)), all(conditions)]);
}
