/** Makes a component of every schema that a reference leads to and that is none: only components have types to refer to. */

import type { OpenApiDocument, Schema } from '../../load/openapi.js';
import { pascalCase } from '../../read/names.js';
import { SILENT } from '../../schemas/names.js';
import { freeName, words } from '../../text/names.js';
import { joinPointer, pointerTokens, valueAt } from '../../text/pointer.js';

const SCHEMAS = '#/components/schemas';

/** Fields that hold a schema, and fields with a list or a map of schemas. */
const HOLDERS = new Set(
  words(`schema itemSchema items not if then else contains propertyNames additionalProperties contentSchema
  unevaluatedItems unevaluatedProperties`),
);
const COLLECTIONS = new Set(
  words(
    `schemas properties patternProperties dependentSchemas $defs definitions allOf anyOf oneOf prefixItems`,
  ),
);

/** Rewrites a copy of a document, in place. */
export function hoistSchemas(copy: OpenApiDocument): void {
  const schemas: Record<string, Schema> = { ...copy.components?.schemas };
  const taken = new Set(Object.keys(schemas));
  const names = new Map<string, string>();
  const hoisted = (reference: string): string => {
    const target = valueAt(copy, reference) as Schema | undefined;
    if (target === undefined) return reference;
    const name = names.get(reference) ?? freeName(nameOf(reference), taken);
    names.set(reference, name);
    schemas[name] = target;
    return joinPointer(SCHEMAS, name);
  };
  const seen = new Map<object, string>();
  redirect(copy, '', hoisted, seen);
  for (const [value, key] of seen) {
    // openapi-typescript would give every value of the schema a property of this name.
    if (!COLLECTIONS.has(key)) Reflect.deleteProperty(value, '$defs');
  }
  Object.assign(copy, { components: { ...copy.components, schemas } });
}

/** @param key the field that holds the value */
function redirect(
  value: unknown,
  key: string,
  hoisted: (reference: string) => string,
  seen: Map<object, string>,
): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  seen.set(value, key);
  for (const [name, member] of Object.entries(value) as Iterable<[string, unknown]>) {
    const isReference = typeof member === 'string' && (name === '$ref' || key === 'mapping');
    if (isReference && isInside(member)) Object.assign(value, { [name]: hoisted(member) });
    // The name of a member is not that of a field.
    else redirect(member, COLLECTIONS.has(key) ? '' : name, hoisted, seen);
  }
}

/** Whether a reference leads to a schema inside a component or an operation. */
function isInside(reference: string): boolean {
  if (!reference.startsWith('#/')) return false;
  const tokens = pointerTokens(reference);
  const [holder = '', last = ''] = tokens.slice(-2);
  if (tokens[0] === 'components' && tokens.length === 3) return false;
  // Inside a schema, a reference may lead to a keyword that nothing describes as a schema.
  const isOfSchema = tokens[0] === 'components' && tokens[1] === 'schemas';
  return isOfSchema || HOLDERS.has(last) || COLLECTIONS.has(holder);
}

function nameOf(reference: string): string {
  const telling = pointerTokens(reference).filter((token) => !SILENT.has(token));
  return telling.map(pascalCase).join('') || 'Schema';
}
