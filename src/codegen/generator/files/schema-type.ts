/** The TypeScript text of types: a schema's type is spelled out if that is short, otherwise a reference into `openapi.ts`. */

import type { Json } from '@concordat/runtime';
import { METHODS, type Schema, type SchemaObject } from '../../contract/schemas/document.js';
import type { MediaTypeModel, OperationModel } from '../../contract/model/model.js';
import type { SchemaNode } from '../../contract/schemas/contract-schemas.js';
import { type ValueTypes, leafOf } from '../../contract/schemas/value-types.js';
import {
  type Code,
  NOTHING,
  WIDTH,
  code,
  identifier,
  indented,
  joined,
  scalarLiteral,
  stringLiteral,
} from '../../text/code.js';
import { carriesOnlyBytes, componentName } from './checks.js';

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
export function schemaType({ schema, schemas }: SchemaNode, elsewhere: Code): Code {
  return shortType(schema, schemas.values) ?? elsewhere;
}

export function shortType(schema: Schema, values: ValueTypes): Code | undefined {
  if (typeof schema === 'boolean') return schema ? code`unknown` : code`never`;
  if (typeof schema.$ref === 'string') {
    const name = componentName(schema);
    return name === undefined ? undefined : indexed(code`Schemas`, name);
  }
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
export function itemsType(media: MediaTypeModel, elsewhere: Code): Code {
  const { node, checked = node, items } = media;
  if (carriesOnlyBytes(media)) return code`AsyncIterable<Uint8Array>`;
  const item = checked === undefined ? code`unknown` : schemaType(checked, code`ItemOf<${elsewhere}>`);
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

/** The name of a method in `openapi.ts`: its field of a Path Item, or the method itself if there is no such field. */
export function methodKey(method: string): string {
  const name = method.toLowerCase();
  return (METHODS as readonly string[]).includes(name) ? name : method;
}

/** An indexed access: `Schemas["Room"]`. */
export function indexed(type: Code, ...keys: readonly string[]): Code {
  return code`${type}${joined(keys.map((key) => code`[${stringLiteral(key)}]`))}`;
}

/** The place of an operation in the types of openapi-typescript, as an indexed access. */
export function operationPlace({ root, path, method }: OperationModel): Code {
  return indexed(identifier(root), path, methodKey(method));
}
