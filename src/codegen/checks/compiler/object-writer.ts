/** Writes the schemas of the properties of an object, and of the object itself if they depend on its properties. */
import type { ApplicatorTo } from '@concordat/runtime/parts';
import {
  assertionConditions,
  isInSet,
  isPresent,
  isThere,
  matches,
  member,
  same,
} from './assertion-conditions.js';
import { ALWAYS, any, all, not, type Condition } from './condition.js';
import {
  ANY_KIND,
  type Evaluation,
  onlyIf,
  isLooked,
  narrowed,
  ofPart,
  type StatementWriter,
  type Surroundings,
} from './surroundings.js';
import {
  nameList,
  schemaList,
  schemaMap,
  schemaOf,
  type DispatchOn,
  type LinkedSchema,
  type SchemaObject,
} from './linked-schema.js';
import type { Scope } from './scope.js';
import { type Code, accessor, code, scalarLiteral, stringLiteral } from '../../text/code.js';
import { literal } from '../../text/literal.js';
import { fits, needsStatements } from './value-conditions.js';

/** The number of names from which a set is used instead of comparisons. */
const MANY_NAMES = 16;

/** Writes statements. @param value an expression that is known to be an object */
type Step = (writer: StatementWriter, schema: SchemaObject, value: Code, around: Surroundings) => void;

/** `properties`, `required` and the other keywords that hold no schemas. */
const writeDescribed: Step = (writer, schema, value, { fail }) => {
  const settled = settledNames(schema);
  writer.require(assertionConditions(writer.scope, schema, value, 'object', settled), fail);
  const properties = schemaMap(schema, 'properties');
  // A property that distinguishes alternatives is checked first.
  for (const isFirst of [true, false])
    for (const [name, inner] of properties)
      if (isTag(inner) === isFirst) writeProperty(writer, value, name, inner, settled.has(name), fail);
};

function writeProperty(
  writer: StatementWriter,
  object: Code,
  name: string,
  schema: LinkedSchema,
  required: boolean,
  fail: Code,
): void {
  const { scope } = writer;
  const access = member(scope, object, name);
  const isInserted = typeof schema === 'object' && 'default' in schema;
  if (isInserted)
    writer.line(
      code`if (${access} === undefined) ${setMember(object, name, literal(schema['default'], 0, 0))}`,
    );
  const checked = isInserted ? withoutDefault(schema) : schema;
  if (checked === true) {
    if (required && !isInserted) writer.require([isPresent(access)], fail);
    return;
  }
  const mayBeAbsent = !required && !isInserted;
  const isTested = required && !isInserted && !refusesUndefined(scope, checked);
  const checks = (read: Code): Condition => {
    const fitting = fits(scope, checked, read, ANY_KIND, name);
    if (mayBeAbsent) return any([not(isPresent(read)), fitting]);
    return isTested ? all([isPresent(read), fitting]) : fitting;
  };
  if (!needsStatements(checked)) {
    const direct = checks(access);
    if (direct.fails.text.split(access).length <= (access.endsWith(')') ? 2 : 3)) {
      writer.require([direct], fail);
      return;
    }
  }
  const read = scope.local(name);
  writer.line(code`const ${read} = ${access};`);
  const write = (): void => writer.schema(checked, read, ofPart(fail));
  if (!needsStatements(checked)) writer.require([checks(read)], fail);
  else if (mayBeAbsent) writer.block(code`if (${isPresent(read).holds.text})`, write);
  else {
    if (isTested) writer.require([isPresent(read)], fail);
    write();
  }
}

function setMember(object: Code, name: string, value: Code): Code {
  if (name === '__proto__') {
    const property = code`{ value: ${value}, writable: true, enumerable: true, configurable: true }`;
    return code`Object.defineProperty(${object}, "__proto__", ${property});`;
  }
  return code`${object}${accessor(name)} = ${value};`;
}

/** True when a schema refuses `undefined`, so that a required property needs no separate test. */
function refusesUndefined(scope: Scope, schema: LinkedSchema, seen = new Set<LinkedSchema>()): boolean {
  if (typeof schema === 'boolean') return !schema;
  if (seen.has(schema)) return false;
  seen.add(schema);
  if ('const' in schema || 'enum' in schema) return true;
  // A type list of all types is not tested.
  if ('type' in schema && narrowed(ANY_KIND, schema).size < ANY_KIND.size) return true;
  return typeof schema['$ref'] === 'string' && refusesUndefined(scope, scope.schema(schema['$ref']), seen);
}

/** The schemas that apply when a property is present. */
const writeDependent: Step = (writer, schema, value, around) => {
  for (const [name, inner] of schemaMap(schema, 'dependentSchemas')) {
    const there = isThere(writer.scope, value, name);
    writer.block(code`if (${there.holds.text})`, () => writer.schema(inner, value, onlyIf(around, there)));
  }
};

/** `propertyNames`, `patternProperties` and `additionalProperties`, in one pass over the names. */
const writeEach: Step = (writer, schema, value, { fail, evaluation }) => {
  const { scope } = writer;
  const described = schemaMap(schema, 'properties').map(([name]) => name);
  const patterns = schemaMap(schema, 'patternProperties');
  const names = schemaOf(schema, 'propertyNames') ?? true;
  const checked = patterns.filter(([, inner]) => inner !== true);
  const additional = schemaOf(schema, 'additionalProperties');
  if (names !== true || checked.length > 0 || (additional ?? true) !== true) {
    const key = scope.local('key');
    const read = code`${value}[${key}]`;
    writer.block(code`for (const ${key} in ${value})`, () => {
      writer.schema(names, key, { ...ofPart(fail), kinds: new Set(['string']) });
      const isDescribed = any([
        isNamed(scope, described, key),
        ...patterns.map(([pattern]) => matches(scope, pattern, key)),
      ]);
      if (checked.length === 0 && additional === false) {
        writer.require([isDescribed], fail);
        return;
      }
      for (const [pattern, inner] of checked)
        writeMember(writer, matches(scope, pattern, key), inner, read, fail);
      writeMember(writer, not(isDescribed), additional ?? true, read, fail);
    });
  }
  if (additional !== undefined) evaluation?.add({ properties: 'all' });
  else {
    if (described.length > 0) evaluation?.add({ properties: { names: described } });
    for (const [pattern] of patterns) evaluation?.add({ properties: { pattern } });
  }
};

/** True when a name is in a list. */
function isNamed(scope: Scope, names: readonly string[], key: Code): Condition {
  if (names.length <= MANY_NAMES) return any(names.map((name) => same(key, stringLiteral(name))));
  return isInSet(scope, names, key);
}

/** Writes the schema of a property whose name fulfils a condition. */
function writeMember(
  writer: StatementWriter,
  when: Condition,
  schema: LinkedSchema,
  read: Code,
  fail: Code,
): void {
  if (when.holds.text === 'false' || schema === true) return;
  const write = (): void => {
    if (schema === false) {
      writer.line(fail);
      return;
    }
    const name = writer.scope.local('member');
    writer.line(code`const ${name} = ${read};`);
    writer.schema(schema, name, ofPart(fail));
  };
  if (when.holds.text === 'true') write();
  else if (schema === false) writer.require([not(when)], fail);
  else writer.block(code`if (${when.holds.text})`, write);
}

/** The branches of which a property picks one. An earlier `enum` has checked that the property has one of the values. */
const writeDispatch: Step = (writer, schema, value, around) => {
  if (!('dispatch' in schema)) return;
  const { property, values } = schema['dispatchOn'] as DispatchOn;
  const tag = member(writer.scope, value, property);
  for (const [index, branch] of schemaList(schema, 'dispatch').entries()) {
    const picked = any((values[index] ?? []).map((each) => same(tag, scalarLiteral(each))));
    writer.block(code`if (${picked.holds.text})`, () => writer.schema(branch, value, onlyIf(around, picked)));
  }
};

const writeUnevaluated: Step = (writer, schema, value, { fail, evaluation }) => {
  const inner = schemaOf(schema, 'unevaluatedProperties');
  if (inner === undefined || inner === true || evaluation === undefined) return;
  const key = writer.scope.local('key');
  const isEvaluated = isLookedProperty(writer.scope, evaluation, key);
  if (isEvaluated.holds.text === 'true') return;
  writer.block(code`for (const ${key} in ${value})`, () =>
    writeMember(writer, not(isEvaluated), inner, code`${value}[${key}]`, fail),
  );
};

/** The condition that a property was evaluated. */
export function isLookedProperty(scope: Scope, { looked }: Evaluation, key: Code): Condition {
  return isLooked(looked, key, ({ properties }) => {
    if (properties === undefined || properties === 'all')
      return properties === undefined ? undefined : ALWAYS;
    return 'names' in properties
      ? isNamed(scope, properties.names, key)
      : matches(scope, properties.pattern, key);
  });
}

/** The names that `required` lists and `properties` describes; each is read once for both keywords. */
function settledNames(schema: SchemaObject): ReadonlySet<string> {
  const described = new Set(schemaMap(schema, 'properties').map(([name]) => name));
  return new Set(nameList(schema['required']).filter((name) => described.has(name)));
}

/** True for the schema of a property that distinguishes alternatives. */
function isTag(schema: LinkedSchema): boolean {
  return typeof schema === 'object' && ('const' in schema || nameList(schema['enum']).length === 1);
}

function withoutDefault(schema: SchemaObject): LinkedSchema {
  const rest = Object.entries(schema).filter(([keyword]) => keyword !== 'default');
  return rest.length === 0 ? true : Object.fromEntries(rest);
}

type Applied = ApplicatorTo<'properties' | 'names'> | 'dependentSchemas' | 'dispatch';

/** In the order in which they are written, each once. */
const STEPS: Readonly<Record<Applied, Step>> = {
  properties: writeDescribed,
  dependentSchemas: writeDependent,
  propertyNames: writeEach,
  patternProperties: writeEach,
  additionalProperties: writeEach,
  dispatch: writeDispatch,
  unevaluatedProperties: writeUnevaluated,
};

export const writeProperties: Step = (...about) => {
  for (const step of new Set(Object.values(STEPS))) step(...about);
};
