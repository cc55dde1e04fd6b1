/** Removes the files from the schema of a multipart body: a file arrives as a `File`, which no schema describes. */

import type { Schema, SchemaObject } from '../load/openapi.js';
import { joinPointer } from '../text/pointer.js';
import { propertiesOf } from './properties.js';
import type { Reader } from './reader.js';

/**
 * The schema without the properties that are files. A reference to a schema without files stays a reference.
 *
 * @param files - the names of the properties that are files, or lists of files
 */
export function withoutFiles(
  reader: Reader,
  schema: Schema,
  at: string,
  files: ReadonlySet<string>,
  seen: ReadonlySet<Schema> = new Set(),
): Schema {
  const names = propertiesOf(reader, schema, at);
  const hasFile = [...files].some((name) => names.has(name));
  if (typeof schema === 'boolean' || !hasFile || seen.has(schema)) return schema;
  const within = new Set(seen).add(schema);
  const part = (member: Schema, ...tokens: readonly (string | number)[]): Schema =>
    withoutFiles(reader, member, joinPointer(at, ...tokens), files, within);
  const parts = (keyword: 'allOf' | 'oneOf' | 'anyOf') =>
    schema[keyword] && { [keyword]: schema[keyword].map((member, i) => part(member, keyword, i)) };
  const own: SchemaObject = {
    ...schema,
    ...(schema.properties && { properties: withoutFileProperties(reader, schema.properties, at, files) }),
    ...parts('allOf'),
    ...parts('oneOf'),
    ...parts('anyOf'),
  };
  if (schema.$ref === undefined) return own;
  const { value: target, at: place } = reader.followSchema({ $ref: schema.$ref }, at);
  const referred = withoutFiles(reader, target, place, files, within);
  const beside: SchemaObject = Object.fromEntries(Object.entries(own).filter(([key]) => key !== '$ref'));
  // Keywords beside a reference count in 3.1 only.
  if (reader.isVersion30 || Object.keys(beside).length === 0) return referred;
  return { ...beside, allOf: [...(beside.allOf ?? []), referred] };
}

function withoutFileProperties(
  reader: Reader,
  properties: Readonly<Record<string, Schema>>,
  at: string,
  files: ReadonlySet<string>,
): Readonly<Record<string, Schema>> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      if (!files.has(name)) return [name, property];
      const { value } = reader.followSchema(property, joinPointer(at, 'properties', name));
      return [name, value.items === undefined ? {} : { ...value, items: {} }];
    }),
  );
}
