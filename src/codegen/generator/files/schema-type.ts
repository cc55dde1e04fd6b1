/** The TypeScript text of types: a schema's type is spelled out if that is short, otherwise it gets a name in `openapi.ts`. */

import type { Json } from '@concordat/runtime';
import type { Schema, SchemaObject } from '../../contract/schemas/document.js';
import type { MediaTypeModel } from '../../contract/model/model.js';
import type { SchemaNode } from '../../contract/schemas/contract-schemas.js';
import { type ValueTypes, leafOf } from '../../contract/schemas/value-types.js';
import {
  type Code,
  NOTHING,
  WIDTH,
  code,
  indented,
  joined,
  scalarLiteral,
  stringLiteral,
} from '../../text/code.js';
import { carriesOnlyBytes, componentName } from './checks.js';
import type { SchemaVariants } from './schema-variants.js';

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
 * @param types - gets the schema as a component, if its type is not short
 * @param name - of that component
 */
export function schemaType(
  { schema, schemas }: Pick<SchemaNode, 'schema' | 'schemas'>,
  types: SchemaVariants,
  name: string,
): Code {
  return shortType(schema, schemas.values) ?? referenceType(types.add(schema, name));
}

export function shortType(schema: Schema, values: ValueTypes): Code | undefined {
  if (typeof schema === 'boolean') return schema ? code`unknown` : code`never`;
  if (typeof schema.$ref === 'string')
    return componentName(schema) === undefined ? undefined : referenceType(schema);
  const leaf = leafOf(values, schema);
  if (leaf !== undefined) return leaf.nullable ? code`${leaf.type} | null` : leaf.type;
  if (schema.oneOf ?? schema.anyOf ?? schema.allOf) return undefined;
  if (schema.const !== undefined) return valueTypes([schema.const]);
  if (schema.enum !== undefined) return valueTypes(schema.enum);
  const types = [schema.type ?? []].flat();
  if (types.length === 1 && types[0] === 'array') return arrayType(schema, values);
  const names = types.map((type) => PRIMITIVES[type]);
  const known = names.filter((name) => name !== undefined);
  if (names.length === 0 || known.length < names.length) return undefined;
  return unionOf(known);
}

/** The type of a reference to a component. */
function referenceType(reference: SchemaObject): Code {
  return code`Schemas[${stringLiteral(componentName(reference) ?? '')}]`;
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

/** @param name - of the type of an item, if it is not short */
export function itemsType(media: MediaTypeModel, types: SchemaVariants, name: string): Code {
  const { node, checked = node, items } = media;
  if (carriesOnlyBytes(media)) return code`AsyncIterable<Uint8Array>`;
  const item = checked === undefined ? code`unknown` : schemaType(checked, types, name);
  const hasBytes =
    items?.format === 'multipart' &&
    [items.part, ...(items.first ?? [])].some(({ kind }) => kind === 'bytes');
  return code`AsyncIterable<${item}${hasBytes ? code` | Uint8Array` : NOTHING}>`;
}

/**
 * An object type with readonly members: on one line if it fits, otherwise one member per line.
 *
 * @param indent - the indentation that the caller will add, which the width includes
 */
export function recordType(members: readonly Code[], indent: number): Code {
  const readonly = members.map((member) => code`readonly ${member}`);
  const flat = code`{ ${joined(readonly, code`; `)} }`;
  if (flat.length + indent <= WIDTH && !flat.includes('\n')) return flat;
  return code`{\n${joined(readonly.map((member) => code`  ${indented(member, 2)};\n`))}}`;
}

/** The union of types, or of string literals. */
export function unionOf(types: Iterable<Code>): Code {
  return joined(types, code` | `);
}

/** The same, with one line per type. */
export function variantsOf(types: Iterable<Code>): Code {
  return joined([...types].map((type) => code`\n  | ${indented(type, 4)}`));
}

/** A member of an object type. */
export function member(key: Code, isPresent: boolean, type: Code): Code {
  return code`${key}${isPresent ? NOTHING : code`?`}: ${type}`;
}
