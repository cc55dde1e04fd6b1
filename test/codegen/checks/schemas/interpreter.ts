/**
 * A plain reading of JSON Schema 2020-12 for tests to compare with: no compiling, no shortcuts, one function for each
 * thing that the specification says. It knows the keywords that the tests draw from.
 */
import { isDeepStrictEqual } from 'node:util';
import { isObject, type Fields } from '../../../../src/codegen/contract/schemas/document.js';
import type { AnySchema } from '../any-schema.js';

/** What a schema that holds has looked at (Core §7.7.1): the annotations that the unevaluated keywords collect. */
interface Seen {
  readonly properties: ReadonlySet<string>;
  readonly items: ReadonlySet<number>;
}

type Schemas = Readonly<Record<string, AnySchema>>;

const NOTHING: Seen = { properties: new Set(), items: new Set() };

/** Whether a value holds against a schema whose references lead to `#/components/schemas/…`. */
export function holds(schema: AnySchema, value: unknown, schemas: Schemas): boolean {
  return evaluate(schema, value, schemas) !== undefined;
}

/** What was looked at, or nothing when the value does not hold. */
function evaluate(schema: AnySchema, value: unknown, schemas: Schemas): Seen | undefined {
  if (typeof schema === 'boolean') return schema ? NOTHING : undefined;
  if (!assertions(schema, value)) return undefined;
  const seen = [inPlace(schema, value, schemas)];
  if (isObject(value)) seen.push(ofObject(schema, value, schemas));
  if (Array.isArray(value)) seen.push(ofArray(schema, value, schemas));
  const together = all(seen);
  return together && withUnevaluated(schema, value, together, schemas);
}

function assertions(schema: Fields, value: unknown): boolean {
  const is = (keyword: string, test: (limit: unknown) => boolean): boolean =>
    !(keyword in schema) || test(schema[keyword]);
  const general =
    is('type', (types) => list(types).some((type) => hasType(value, String(type)))) &&
    is('enum', (values) => list(values).some((one) => isDeepStrictEqual(one, value))) &&
    is('const', (only) => isDeepStrictEqual(only, value));
  if (!general) return false;
  if (typeof value === 'number') {
    return (
      is('minimum', (limit) => value >= Number(limit)) &&
      is('maximum', (limit) => value <= Number(limit)) &&
      is('exclusiveMinimum', (limit) => value > Number(limit)) &&
      is('exclusiveMaximum', (limit) => value < Number(limit)) &&
      is('multipleOf', (step) => Number.isInteger(value / Number(step)))
    );
  }
  if (typeof value === 'string') {
    return (
      is('maxLength', (limit) => Array.from(value).length <= Number(limit)) &&
      is('minLength', (limit) => Array.from(value).length >= Number(limit)) &&
      is('pattern', (pattern) => new RegExp(String(pattern), 'u').test(value))
    );
  }
  if (Array.isArray(value)) {
    return (
      is('minItems', (limit) => value.length >= Number(limit)) &&
      is('maxItems', (limit) => value.length <= Number(limit)) &&
      is(
        'uniqueItems',
        (unique) =>
          unique === false ||
          value.every((one, i) => value.findIndex((other) => isDeepStrictEqual(one, other)) === i),
      )
    );
  }
  if (!isObject(value)) return true;
  return (
    is('required', (names) => list(names).every((name) => String(name) in value)) &&
    is('minProperties', (limit) => Object.keys(value).length >= Number(limit)) &&
    is('maxProperties', (limit) => Object.keys(value).length <= Number(limit)) &&
    is('dependentRequired', (needs) =>
      Object.entries(needs as object).every(
        ([name, names]) => !(name in value) || list(names).every((needed) => String(needed) in value),
      ),
    )
  );
}

function inPlace(schema: Fields, value: unknown, schemas: Schemas): Seen | undefined {
  const part = (inner: unknown): Seen | undefined => evaluate(inner as AnySchema, value, schemas);
  const results: (Seen | undefined)[] = [];
  if (typeof schema['$ref'] === 'string')
    results.push(part(schemas[schema['$ref'].split('/').at(-1) ?? ''] ?? false));
  for (const inner of list(schema['allOf'] ?? [])) results.push(part(inner));
  if (schema['anyOf']) results.push(all(holding(list(schema['anyOf']).map(part), (count) => count > 0)));
  if (schema['oneOf']) results.push(all(holding(list(schema['oneOf']).map(part), (count) => count === 1)));
  if ('not' in schema) results.push(part(schema['not']) === undefined ? NOTHING : undefined);
  if ('if' in schema) {
    const condition = part(schema['if']);
    results.push(condition ?? NOTHING, part((condition ? schema['then'] : schema['else']) ?? true));
  }
  for (const [name, inner] of Object.entries((schema['dependentSchemas'] as object | undefined) ?? {})) {
    if (isObject(value) && name in value) results.push(part(inner));
  }
  return all(results);
}

function ofObject(schema: Fields, value: Fields, schemas: Schemas): Seen | undefined {
  const properties = (schema['properties'] as Schemas | undefined) ?? {};
  const patterns = Object.entries((schema['patternProperties'] as Schemas | undefined) ?? {});
  const looked = new Set<string>();
  for (const [name, member] of Object.entries(value)) {
    if ('propertyNames' in schema && !holds(schema['propertyNames'] as AnySchema, name, schemas))
      return undefined;
    const inner = [
      ...(Object.hasOwn(properties, name) ? [properties[name]] : []),
      ...patterns.filter(([pattern]) => new RegExp(pattern, 'u').test(name)).map(([, each]) => each),
    ];
    if (inner.length === 0 && 'additionalProperties' in schema)
      inner.push(schema['additionalProperties'] as AnySchema);
    if (!inner.every((each) => holds(each ?? true, member, schemas))) return undefined;
    if (inner.length > 0) looked.add(name);
  }
  return { ...NOTHING, properties: looked };
}

function ofArray(schema: Fields, value: readonly unknown[], schemas: Schemas): Seen | undefined {
  const prefix = list(schema['prefixItems'] ?? []) as readonly AnySchema[];
  const looked = new Set<number>();
  for (const [index, item] of value.entries()) {
    const inner = prefix[index] ?? (schema['items'] as AnySchema | undefined);
    if (inner === undefined) continue;
    if (!holds(inner, item, schemas)) return undefined;
    looked.add(index);
  }
  if ('contains' in schema) {
    const found = [...value.keys()].filter((index) =>
      holds(schema['contains'] as AnySchema, value[index], schemas),
    );
    if (found.length < Number(schema['minContains'] ?? 1)) return undefined;
    if (found.length > Number(schema['maxContains'] ?? found.length)) return undefined;
    for (const index of found) looked.add(index);
  }
  return { ...NOTHING, items: looked };
}

function withUnevaluated(schema: Fields, value: unknown, seen: Seen, schemas: Schemas): Seen | undefined {
  let { properties, items } = seen;
  if ('unevaluatedProperties' in schema && isObject(value)) {
    const rest = Object.keys(value).filter((name) => !properties.has(name));
    if (!rest.every((name) => holds(schema['unevaluatedProperties'] as AnySchema, value[name], schemas)))
      return undefined;
    properties = new Set(Object.keys(value));
  }
  if ('unevaluatedItems' in schema && Array.isArray(value)) {
    const rest = value.filter((_item, index) => !items.has(index));
    if (!rest.every((item) => holds(schema['unevaluatedItems'] as AnySchema, item, schemas)))
      return undefined;
    items = new Set(value.keys());
  }
  return { properties, items };
}

/** The results of alternatives that hold, when the right number of them does. */
function holding(
  results: readonly (Seen | undefined)[],
  enough: (count: number) => boolean,
): readonly (Seen | undefined)[] {
  const held = results.filter((result) => result !== undefined);
  return enough(held.length) ? held : [undefined];
}

function all(results: readonly (Seen | undefined)[]): Seen | undefined {
  const held = results.filter((result) => result !== undefined);
  if (held.length < results.length) return undefined;
  return {
    properties: new Set(held.flatMap(({ properties }) => [...properties])),
    items: new Set(held.flatMap(({ items }) => [...items])),
  };
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

function hasType(value: unknown, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  return type === 'null' ? value === null : typeof value === type;
}
