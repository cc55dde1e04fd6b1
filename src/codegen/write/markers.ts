/** Finds the schemas with `readOnly` or `writeOnly` properties, because only those need two types. */

import type { Schema, SchemaObject } from '../load/openapi.js';
import type { Reader } from '../read/reader.js';

const known = new WeakMap<object, boolean>();

/** Whether the schema differs between requests and responses, at any depth. */
export function carriesMarkers(reader: Reader, schema: Schema): boolean {
  if (typeof schema === 'boolean') return false;
  const { value: root } = reader.followSchema(schema, schema.$ref ?? '');
  const answer = known.get(root) ?? reachesMarker(reader, root);
  known.set(root, answer);
  return answer;
}

/** Whether any schema in the document is marked, so that `openapi.ts` needs the markers. */
export function documentCarriesMarkers(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return (
    isMarked(value as SchemaObject) ||
    Object.entries(value).some(([key, item]) => !key.startsWith('example') && documentCarriesMarkers(item))
  );
}

function reachesMarker(reader: Reader, root: SchemaObject): boolean {
  const reached = new Set<SchemaObject>([root]);
  for (const schema of reached) {
    if (isMarked(schema)) return true;
    for (const part of partsOf(schema)) {
      if (typeof part !== 'boolean') reached.add(reader.followSchema(part, part.$ref ?? '').value);
      if (typeof part !== 'boolean' && isMarked(part)) return true;
    }
  }
  return false;
}

function isMarked(schema: SchemaObject): boolean {
  return schema.readOnly === true || schema.writeOnly === true;
}

function partsOf(schema: SchemaObject): readonly Schema[] {
  const {
    properties = {},
    items,
    additionalProperties,
    unevaluatedProperties,
    allOf = [],
    oneOf = [],
    anyOf = [],
    prefixItems = [],
  } = schema;
  const single = [items, additionalProperties, unevaluatedProperties].filter((part) => part !== undefined);
  return [...Object.values(properties), ...single, ...allOf, ...oneOf, ...anyOf, ...prefixItems];
}
