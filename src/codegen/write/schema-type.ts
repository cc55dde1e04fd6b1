/** The TypeScript type of a schema: spelled out where that is short, otherwise a reference into `openapi.ts`. */

import type { Json } from 'concordat';
import type { Schema, SchemaObject } from '../load/openapi.js';
import type { Reader } from '../read/reader.js';
import { unescapedToken } from '../text/pointer.js';
import { type ValueTypes, leafOf } from '../values/value-types.js';
import { carriesMarkers } from './markers.js';
import type { MediaTypeModel } from '../read/model.js';
import { carriesOnlyBytes } from './checks.js';

/** Which side of a `readOnly` or `writeOnly` property a value is on. */
type Side = 'request' | 'response';

const PRIMITIVES: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

/**
 * The type of a schema.
 *
 * @param elsewhere - the indexed access into `openapi.ts`, where openapi-typescript wrote the type
 * @param received - the schema as a handler gets it, where that is another
 */
export function schemaType(
  reader: Reader,
  schema: Schema,
  side: Side,
  elsewhere: string,
  received = schema,
): string {
  const text = shortType(received, reader.values) ?? elsewhere;
  if (!carriesMarkers(reader, schema)) return text;
  return side === 'request' ? `Writable<${text}>` : `Readable<${text}>`;
}

export function shortType(schema: Schema, values: ValueTypes): string | undefined {
  if (typeof schema === 'boolean') return schema ? 'unknown' : 'never';
  if (schema.$ref !== undefined) return componentType(schema);
  const leaf = leafOf(values, schema);
  if (leaf !== undefined) return leaf.nullable ? `${leaf.type} | null` : leaf.type;
  if (schema.oneOf ?? schema.anyOf ?? schema.allOf) return undefined;
  if (schema.const !== undefined) return valueTypes([schema.const]);
  if (schema.enum !== undefined) return schema.nullable === true ? undefined : valueTypes(schema.enum);
  const types = [schema.type ?? []].flat();
  if (types.length === 1 && types[0] === 'array' && schema.nullable !== true)
    return arrayType(schema, values);
  const names = types.map((type) => PRIMITIVES[type]);
  if (names.length === 0 || names.includes(undefined)) return undefined;
  return [...names, ...(schema.nullable === true ? ['null'] : [])].join(' | ');
}

function componentType(schema: SchemaObject): string | undefined {
  const [, name] = /^#\/components\/schemas\/([^/]+)$/.exec(schema.$ref ?? '') ?? [];
  if (name === undefined || Object.keys(schema).length > 1) return undefined;
  return `Schemas[${JSON.stringify(unescapedToken(name))}]`;
}

function arrayType(schema: SchemaObject, values: ValueTypes): string | undefined {
  if (schema.prefixItems !== undefined || schema.items === undefined) return undefined;
  const items = shortType(schema.items, values);
  return items === undefined ? undefined : /^[\w."[\]]+$/.test(items) ? `${items}[]` : `(${items})[]`;
}

function valueTypes(values: readonly Json[]): string | undefined {
  const isShort = values.every((value) => value === null || typeof value !== 'object');
  return isShort && values.length > 0 ? values.map((value) => JSON.stringify(value)).join(' | ') : undefined;
}

/** @param elsewhere - the indexed access into `openapi.ts`, where the whole sequence has its type */
export function itemsType(reader: Reader, media: MediaTypeModel, side: Side, elsewhere: string): string {
  const { schema = true, checked = schema, items } = media;
  if (carriesOnlyBytes(media)) return 'AsyncIterable<Uint8Array>';
  const item = schemaType(reader, checked, side, `ItemOf<${elsewhere}>`);
  const hasBytes =
    items?.format === 'multipart' &&
    [items.part, ...(items.first ?? [])].some(({ kind }) => kind === 'bytes');
  return `AsyncIterable<${item}${hasBytes ? ' | Uint8Array' : ''}>`;
}
