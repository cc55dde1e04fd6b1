/** Finds the value of an absent property: the nearest `default` of the schemas that apply to it. */

import type { Json } from '@concordat/runtime';
import { joinPointer } from '../../text/pointer.js';
import type { SchemaNode } from './contract-schemas.js';

/** The `default` of the nearest schema that has one, of those that apply to all values. One that is `undefined` hides the others. */
export function nearestDefault({ certain }: SchemaNode): Json | undefined {
  return certain.find(hasOwnDefault)?.object.default;
}

/** The value of an absent property: the nearest default, unless a schema on the way to it refuses it, which then `isReported`. */
export function defaultOf(node: SchemaNode, isReported = false): { readonly value: Json } | undefined {
  const value = nearestDefault(node);
  if (value === undefined) return undefined;
  const { certain, schemas } = node;
  const way = certain.slice(0, certain.findIndex(hasOwnDefault) + 1);
  const refusing = way.findLast(({ schema }) => schemas.invalidDefaults.has(schema));
  if (refusing === undefined) return { value };
  const message = 'the schema refuses its default, or inserts over 1,000 others into it: it is not inserted';
  if (isReported) schemas.unsupported('invalid-default', defaultPlace(refusing), message);
  return undefined;
}

export function hasOwnDefault({ object }: SchemaNode): boolean {
  return 'default' in object;
}

/** The place of a default: its own keyword, or the schema itself when the default is in a schema that it refers to. */
export function defaultPlace(node: SchemaNode): string {
  return hasOwnDefault(node) ? joinPointer(node.at, 'default') : node.at;
}
