/** The TypeScript type of a schema: spelled out if that is short, otherwise a reference into `openapi.ts`. */

import type { Json } from '@concordat/runtime';
import type { Schema, SchemaObject } from '../../contract/load/openapi.js';
import type { Reader } from '../../contract/model/reader.js';
import { code, type Code, NOTHING, scalarLiteral } from '../../text/code.js';
import { leafOf, type ValueTypes } from '../../contract/model/value-types.js';
import type { MediaTypeModel } from '../../contract/model/model.js';
import { carriesOnlyBytes, componentName } from './checks.js';
import { indexed, unionOf } from './type-text.js';

const PRIMITIVES: Readonly<Record<string, Code>> = {
  string: code`string`,
  integer: code`number`,
  number: code`number`,
  boolean: code`boolean`,
  null: code`null`,
};

/**
 * The type of a schema.
 *
 * @param elsewhere - the indexed access to the type that openapi-typescript writes into `openapi.ts`
 */
export function schemaType(reader: Reader, schema: Schema, elsewhere: Code): Code {
  return shortType(schema, reader.values) ?? elsewhere;
}

export function shortType(schema: Schema, values: ValueTypes): Code | undefined {
  if (typeof schema === 'boolean') return schema ? code`unknown` : code`never`;
  if (typeof schema.$ref === 'string') return componentType(schema);
  const leaf = leafOf(values, schema);
  if (leaf !== undefined) return leaf.nullable ? code`${leaf.type} | null` : leaf.type;
  if (schema.oneOf ?? schema.anyOf ?? schema.allOf) return undefined;
  if (schema.const !== undefined) return valueTypes([schema.const]);
  if (schema.enum !== undefined) return schema.nullable === true ? undefined : valueTypes(schema.enum);
  const types = [schema.type ?? []].flat();
  if (types.length === 1 && types[0] === 'array' && schema.nullable !== true)
    return arrayType(schema, values);
  const names = types.map((type) => PRIMITIVES[type]);
  const known = names.filter((name) => name !== undefined);
  if (names.length === 0 || known.length < names.length) return undefined;
  return unionOf([...known, ...(schema.nullable === true ? [code`null`] : [])]);
}

function componentType(schema: SchemaObject): Code | undefined {
  const name = componentName(schema);
  return name === undefined ? undefined : indexed(code`Schemas`, name);
}

function arrayType(schema: SchemaObject, values: ValueTypes): Code | undefined {
  if (schema.prefixItems !== undefined || schema.items === undefined) return undefined;
  const items = shortType(schema.items, values);
  return items === undefined ? undefined : /^[\w."[\]]+$/.test(items) ? code`${items}[]` : code`(${items})[]`;
}

function valueTypes(values: readonly Json[]): Code | undefined {
  const isShort = values.every((value) => value === null || typeof value !== 'object');
  return isShort && values.length > 0 ? unionOf(values.map(scalarLiteral)) : undefined;
}

/** @param elsewhere - the indexed access to the type of the whole sequence in `openapi.ts` */
export function itemsType(reader: Reader, media: MediaTypeModel, elsewhere: Code): Code {
  const { schema = true, checked = schema, items } = media;
  if (carriesOnlyBytes(media)) return code`AsyncIterable<Uint8Array>`;
  const item = schemaType(reader, checked, code`ItemOf<${elsewhere}>`);
  const hasBytes =
    items?.format === 'multipart' &&
    [items.part, ...(items.first ?? [])].some(({ kind }) => kind === 'bytes');
  return code`AsyncIterable<${item}${hasBytes ? code` | Uint8Array` : NOTHING}>`;
}
