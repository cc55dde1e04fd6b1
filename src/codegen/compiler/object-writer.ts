/** Writes the checks of the properties of an object. */
import { any, all, not, condition, type Condition } from './condition.js';
import type { StatementWriter, Surroundings } from './statement-writer.js';
import { ANY_KIND, narrowed } from './kinds.js';
import { matches, same } from './leaf-conditions.js';
import { nameList, schemaMap, schemaOf, type LinkedSchema, type SchemaObject } from './linked-schema.js';
import { member, setMember } from './member.js';
import { type Code, code, scalarLiteral, stringLiteral } from '../text/code.js';
import { literal } from '../text/literal.js';
import { fits, needsStatements, objectConditions } from './value-conditions.js';

/** The number of names from which a set is used instead of comparisons. */
const MANY_NAMES = 16;

export class ObjectWriter {
  constructor(private readonly writer: StatementWriter) {}

  /** @param value an expression that is known to be an object */
  write(schema: SchemaObject, value: Code, around: Surroundings): void {
    const writer = this.writer;
    const settled = settledNames(schema);
    writer.require(objectConditions(writer.scope, schema, value, settled), around.fail);
    const properties = schemaMap(schema, 'properties');
    // A property that distinguishes alternatives is checked first.
    for (const distinguishes of [true, false])
      for (const [name, inner] of properties)
        if (isTag(inner) === distinguishes)
          this.#property(value, name, inner, settled.has(name), around.fail);
    writer.dependentSchemas(schema, value, around);
    this.#eachProperty(schema, value, around);
    this.#takeDown(schema, around);
    if ('dispatch' in schema) writer.dispatch(schema, value, around);
    this.#unevaluated(schema, value, around);
  }

  #property(object: Code, name: string, schema: LinkedSchema, required: boolean, fail: Code): void {
    const writer = this.writer;
    const { scope } = writer;
    const access = member(scope, object, name);
    const isInserted = typeof schema === 'object' && 'default' in schema;
    if (isInserted)
      writer.line(
        code`if (${access} === undefined) ${setMember(object, name, literal(schema['default'], 0, 0))}`,
      );
    const checked = isInserted ? withoutDefault(schema) : schema;
    const present = condition(code`${access} !== undefined`, code`${access} === undefined`);
    const isNeeded = required && !isInserted;
    if (checked === true) {
      if (isNeeded) writer.require([present], fail);
      return;
    }
    const mayBeAbsent = !required && !isInserted;
    const checks = (read: Code): Condition => {
      const fitting = fits(scope, checked, read, ANY_KIND, name);
      if (mayBeAbsent)
        return any([condition(code`${read} === undefined`, code`${read} !== undefined`), fitting]);
      if (isInserted || this.#refusesUndefined(checked)) return fitting;
      return all([condition(code`${read} !== undefined`, code`${read} === undefined`), fitting]);
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
    if (!needsStatements(checked)) writer.require([checks(read)], fail);
    else if (mayBeAbsent)
      writer.block(code`if (${read} !== undefined)`, () =>
        writer.schema(checked, read, { fail, kinds: ANY_KIND, evaluation: undefined }),
      );
    else {
      if (!isInserted && !this.#refusesUndefined(checked))
        writer.require([condition(code`${read} !== undefined`, code`${read} === undefined`)], fail);
      writer.schema(checked, read, { fail, kinds: ANY_KIND, evaluation: undefined });
    }
  }

  /** True when a schema refuses `undefined`, so that a required property needs no separate test. */
  #refusesUndefined(schema: LinkedSchema, seen = new Set<LinkedSchema>()): boolean {
    if (typeof schema === 'boolean') return !schema;
    if (seen.has(schema)) return false;
    seen.add(schema);
    if ('const' in schema || 'enum' in schema) return true;
    // A type list of all types is not tested.
    if ('type' in schema && narrowed(ANY_KIND, schema).size < ANY_KIND.size) return true;
    return (
      typeof schema['$ref'] === 'string' &&
      this.#refusesUndefined(this.writer.scope.schema(schema['$ref']), seen)
    );
  }

  /** `propertyNames`, `patternProperties` and `additionalProperties`, in one pass over the names. */
  #eachProperty(schema: SchemaObject, value: Code, around: Surroundings): void {
    const writer = this.writer;
    const { scope } = writer;
    const names = schemaOf(schema, 'propertyNames') ?? true;
    const patterns = schemaMap(schema, 'patternProperties').filter(([, inner]) => inner !== true);
    const additional = schemaOf(schema, 'additionalProperties') ?? true;
    if (names === true && patterns.length === 0 && additional === true) return;
    const key = scope.local('key');
    const inside: Surroundings = { fail: around.fail, kinds: ANY_KIND, evaluation: undefined };
    writer.block(code`for (const ${key} in ${value})`, () => {
      writer.schema(names, key, { ...inside, kinds: new Set(['string']) });
      const others = this.#isDeclared(schema, key);
      if (patterns.length === 0 && additional === false) {
        writer.require([others], around.fail);
        return;
      }
      const read = code`${value}[${key}]`;
      for (const [pattern, inner] of patterns)
        this.#guarded(matches(scope, pattern, key), inner, read, inside);
      if (additional !== true) this.#guarded(not(others), additional, read, inside);
    });
  }

  /** True when a name is one of `properties`, or matches one of `patternProperties`. */
  #isDeclared(schema: SchemaObject, key: Code): Condition {
    const { scope } = this.writer;
    const names = schemaMap(schema, 'properties').map(([name]) => name);
    return any([
      this.#isNamed(names, key),
      ...schemaMap(schema, 'patternProperties').map(([pattern]) => matches(scope, pattern, key)),
    ]);
  }

  #isNamed(names: readonly string[], key: Code): Condition {
    if (names.length <= MANY_NAMES) return any(names.map((name) => same(key, stringLiteral(name))));
    const set = this.writer.scope.constant('values', code`new Set(${scalarLiteral(names)})`);
    return condition(code`${set}.has(${key})`);
  }

  #guarded(when: Condition, schema: LinkedSchema, read: Code, around: Surroundings): void {
    const writer = this.writer;
    if (when.holds.text === 'false') return;
    const write = (): void => this.#member(schema, read, around);
    if (when.holds.text === 'true') write();
    else if (schema === false) writer.require([not(when)], around.fail);
    else writer.block(code`if (${when.holds.text})`, write);
  }

  #member(schema: LinkedSchema, read: Code, around: Surroundings): void {
    const writer = this.writer;
    if (typeof schema === 'boolean') {
      writer.schema(schema, read, around);
      return;
    }
    const name = writer.scope.local('member');
    writer.line(code`const ${name} = ${read};`);
    writer.schema(schema, name, around);
  }

  #takeDown(schema: SchemaObject, { evaluation }: Surroundings): void {
    if (evaluation === undefined) return;
    if ('additionalProperties' in schema) {
      evaluation.add({ properties: 'all' });
      return;
    }
    const names = schemaMap(schema, 'properties').map(([name]) => name);
    if (names.length > 0) evaluation.add({ properties: { names } });
    for (const [pattern] of schemaMap(schema, 'patternProperties'))
      evaluation.add({ properties: { pattern } });
  }

  #unevaluated(schema: SchemaObject, value: Code, { fail, evaluation }: Surroundings): void {
    const inner = schemaOf(schema, 'unevaluatedProperties');
    if (inner === undefined || inner === true || evaluation === undefined) return;
    const writer = this.writer;
    const key = writer.scope.local('key');
    const looked = evaluation.looked.flatMap(({ given, properties }) => {
      if (properties === undefined) return [];
      if (properties === 'all') return [given];
      const among =
        'names' in properties
          ? this.#isNamed(properties.names, key)
          : matches(writer.scope, properties.pattern, key);
      return [all([given, among])];
    });
    const isLooked = any(looked);
    if (isLooked.holds.text === 'true') return;
    writer.block(code`for (const ${key} in ${value})`, () =>
      this.#guarded(not(isLooked), inner, code`${value}[${key}]`, {
        fail,
        kinds: ANY_KIND,
        evaluation: undefined,
      }),
    );
  }
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
