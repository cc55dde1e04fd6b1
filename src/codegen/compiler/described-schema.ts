/** Writes a schema as a literal, from which the engine explains why a value is invalid. */
import { Code, literal } from '../text/literal.js';
import { FORMATS } from './formats.js';
import type { FunctionScope } from './function-scope.js';
import type { LinkedSchema, SchemaObject } from './linked-schema.js';

const MAPS = new Set(['properties', 'patternProperties', 'dependentSchemas']);
const SCHEMAS = new Set([
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'nullOr', 'dispatch'],
  ...['items', 'prefixItems', 'contains', 'unevaluatedItems'],
  ...['additionalProperties', 'unevaluatedProperties', 'propertyNames'],
]);

/** The literal, in which `$ref` holds the function of the target and each format has its test. */
export function describedSchema(schema: LinkedSchema, scope: FunctionScope): string {
  return literal(described(schema, scope));
}

function described(schema: LinkedSchema, scope: FunctionScope): unknown {
  if (typeof schema === 'boolean') return schema;
  const inner = (value: unknown): unknown => described(value as LinkedSchema, scope);
  const keyword = ([name, value]: readonly [string, unknown]): readonly (readonly [string, unknown])[] => {
    if (name === '$ref') return [reference(String(value), scope)];
    if (name === 'format') return formatEntries(String(value), scope);
    if (MAPS.has(name)) return [[name, mapped(value as SchemaObject, inner)]];
    if (!SCHEMAS.has(name)) return [[name, value]];
    return [[name, Array.isArray(value) ? value.map(inner) : inner(value)]];
  };
  return Object.fromEntries(Object.entries(schema).flatMap(keyword));
}

function reference(id: string, scope: FunctionScope): readonly [string, unknown] {
  const target = scope.schema(id);
  return typeof target === 'boolean' ? ['allOf', [target]] : ['$ref', new Code(scope.call(id))];
}

function formatEntries(format: string, scope: FunctionScope): readonly (readonly [string, unknown])[] {
  const check = FORMATS.get(format);
  if (check === undefined) return [];
  return [
    ['format', format],
    ['fitsFormat', new Code(scope.helper(check.test))],
  ];
}

function mapped(map: SchemaObject, inner: (value: unknown) => unknown): SchemaObject {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, inner(value)]));
}
