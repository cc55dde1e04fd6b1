/** Builds a normalised schema from its normalised parts. */
import type { Subschema } from './contract-schemas.js';
import { isObject, type SchemaObject } from './document.js';
import type { NormalSchema } from './normal-schema.js';

/** The value of an applicator in its original shape (one schema, a list or an object), with normalised schemas. */
export function assembled(
  [first]: readonly Subschema[],
  members: readonly (readonly [string | number | undefined, NormalSchema])[],
): unknown {
  if (first?.applicator.holds === 'map')
    return Object.fromEntries(members.map(([key, value]) => [String(key), value]));
  const values = members.map(([, value]) => value);
  return first?.applicator.holds === 'list' ? values : values[0];
}

/** A schema's own keywords, and the other schemas that must hold for the same value. */
export function combined(own: SchemaObject, all: readonly NormalSchema[]): NormalSchema {
  const members = all.filter(
    (member) => member !== true && !(isObject(member) && Object.keys(member).length === 0),
  );
  const [only] = members;
  if (only === undefined) return Object.keys(own).length === 0 ? true : own;
  if (members.length === 1) {
    if (Object.keys(own).length === 0) return only;
    if (isObject(only) && Object.keys(only).length === 1 && ('$ref' in only || 'nullOr' in only))
      return { ...own, ...only };
  }
  return { ...own, allOf: members };
}
