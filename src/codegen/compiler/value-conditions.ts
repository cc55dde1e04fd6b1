/** Writes schemas that need no statements as conditions. */
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
import { type Code, code } from '../text/code.js';
import type { Scope } from './scope.js';
import { leafConditions, typeCondition } from './leaf-conditions.js';
import { nameList, schemaList, schemaOf, type LinkedSchema, type SchemaObject } from './linked-schema.js';
import { member } from './member.js';
import { ANY_KIND, narrowed, only, type Kinds } from './kinds.js';
import { words } from '../text/identifiers.js';

/** Keywords that need a variable, a loop or a write. */
const STATEMENTS =
  words(`properties patternProperties additionalProperties propertyNames unevaluatedProperties items
  prefixItems contains unevaluatedItems dependentSchemas dispatch`);

/** True when a schema cannot be written as one condition. */
export function needsStatements(schema: LinkedSchema): boolean {
  if (typeof schema === 'boolean') return false;
  return (
    STATEMENTS.some((keyword) => keyword in schema) ||
    schemaList(schema, 'allOf').some(needsStatements) ||
    ['then', 'else', 'nullOr'].some((keyword) => needsStatements(schemaOf(schema, keyword) ?? true))
  );
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
  const other = schemaOf(schema, 'nullOr');
  const isNull = condition(code`${value} === null`, code`${value} !== null`);
  // In the order in which they are tried.
  return all([
    typeCondition(scope, schema, value, kinds),
    ...leafConditions(scope, schema, value, inside),
    ...inPlaceConditions(scope, schema, value, inside),
    ...schemaList(schema, 'allOf').map((each, index) => fits(scope, each, value, inside, `allOf${index}`)),
    ...(other === undefined ? [] : [any([isNull, fits(scope, other, value, inside, 'nullOr')])]),
    ...branchCondition(scope, schema, value, inside),
    guarded(scope, 'array', value, inside, arrayConditions(scope, schema, value)),
    guarded(scope, 'object', value, inside, objectConditions(scope, schema, value)),
  ]);
}

/** The conditions of schemas for the same value, without `allOf` and branches, which the caller may write as statements. */
export function inPlaceConditions(scope: Scope, schema: SchemaObject, value: Code, kinds: Kinds): Conditions {
  const each = (keyword: string): Conditions =>
    schemaList(schema, keyword).map((inner, index) => fits(scope, inner, value, kinds, `${keyword}${index}`));
  const conditions: Condition[] = [];
  const forbidden = schemaOf(schema, 'not');
  if (forbidden !== undefined) conditions.push(not(fits(scope, forbidden, value, kinds, 'not')));
  if ('anyOf' in schema) conditions.push(any(each('anyOf')));
  if ('oneOf' in schema) conditions.push(exactlyOne(each('oneOf')));
  if (typeof schema['$ref'] === 'string') conditions.push(referenced(scope, schema['$ref'], value));
  if ('readOnly' in schema || 'writeOnly' in schema) conditions.push(NEVER);
  return conditions;
}

function referenced(scope: Scope, id: string, value: Code): Condition {
  const schema = scope.schema(id);
  if (typeof schema === 'boolean') return schema ? ALWAYS : NEVER;
  return condition(code`${scope.call(id)}(${value})`);
}

function branchCondition(scope: Scope, schema: SchemaObject, value: Code, kinds: Kinds): Conditions {
  const asked = schemaOf(schema, 'if');
  const [yes, no] = [schemaOf(schema, 'then') ?? true, schemaOf(schema, 'else') ?? true];
  if (asked === undefined || (yes === true && no === true)) return [];
  const when = fits(scope, asked, value, kinds, 'if');
  const then = fits(scope, yes, value, kinds, 'then');
  const otherwise = fits(scope, no, value, kinds, 'else');
  if (no === true) return [any([not(when), then])];
  if (yes === true) return [any([when, otherwise])];
  const spelled = (side: 'holds' | 'fails'): Code =>
    code`(${when.holds.text} ? ${then[side].text} : ${otherwise[side].text})`;
  return [condition(spelled('holds'), spelled('fails'))];
}

/** Conditions that apply to values of one kind. */
function guarded(
  scope: Scope,
  kind: 'array' | 'object',
  value: Code,
  kinds: Kinds,
  conditions: Conditions,
): Condition {
  if (conditions.length === 0 || !kinds.has(kind)) return ALWAYS;
  if (only(kinds, kind)) return all(conditions);
  return any([not(typeCondition(scope, { type: kind }, value, ANY_KIND)), all(conditions)]);
}

/** The conditions on a list as a whole. */
export function arrayConditions(scope: Scope, schema: SchemaObject, value: Code): Conditions {
  const { minItems, maxItems, uniqueItems } = schema;
  const conditions: Condition[] = [];
  if (typeof maxItems === 'number') conditions.push(atMost(code`${value}.length`, maxItems));
  if (typeof minItems === 'number' && minItems > 0) conditions.push(atLeast(code`${value}.length`, minItems));
  if (uniqueItems === true) conditions.push(condition(code`${scope.helper('isUnique')}(${value})`));
  return conditions;
}

/** The conditions on the names of an object. @param settled required names that are checked elsewhere */
export function objectConditions(
  scope: Scope,
  schema: SchemaObject,
  value: Code,
  settled: ReadonlySet<string> = new Set(),
): Conditions {
  const { minProperties, maxProperties, required, dependentRequired } = schema;
  const conditions: Condition[] = [];
  const count = code`Object.keys(${value}).length`;
  if (typeof maxProperties === 'number') conditions.push(atMost(count, maxProperties));
  if (typeof minProperties === 'number' && minProperties > 0) conditions.push(atLeast(count, minProperties));
  for (const name of new Set(nameList(required)))
    if (!settled.has(name)) conditions.push(isThere(scope, value, name));
  for (const [name, needed] of Object.entries((dependentRequired ?? {}) as SchemaObject)) {
    const all_ = nameList(needed).map((other) => isThere(scope, value, other));
    if (all_.length > 0) conditions.push(any([not(isThere(scope, value, name)), all(all_)]));
  }
  return conditions;
}

export function isThere(scope: Scope, object: Code, name: string): Condition {
  const access = member(scope, object, name);
  return condition(code`${access} !== undefined`, code`${access} === undefined`);
}

export function atMost(count: Code, limit: number): Condition {
  return condition(code`${count} <= ${limit}`, code`${count} > ${limit}`);
}

export function atLeast(count: Code, limit: number): Condition {
  return condition(code`${count} >= ${limit}`, code`${count} < ${limit}`);
}
