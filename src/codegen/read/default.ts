/** Finds the default for an absent value. */

import type { Json } from 'concordat';
import type { Schema } from '../load/openapi.js';
import { INVALID_DEFAULT } from '../schemas/contract-schemas.js';
import { canonicalPointer, joinPointer } from '../text/pointer.js';
import type { Reader } from './reader.js';

/** The nearest `default` of a schema: its own, that of its reference's target, or that of a member of its `allOf`. */
export function defaultOf(
  reader: Reader,
  schema: Schema,
  at: string,
  seen: ReadonlySet<string> = new Set(),
): Json | undefined {
  // From 3.1 on, a default may be beside a `$ref`; in 3.0, keywords beside it are ignored (3.0.4, Reference Object).
  const isOwn = typeof schema === 'object' && !(reader.isVersion30 && schema.$ref !== undefined);
  if (isOwn && schema.default !== undefined && isValid(reader, at)) return schema.default;
  const { value, at: place } = reader.followSchema(schema, at);
  if (value.default !== undefined && isValid(reader, place)) return value.default;
  if (seen.has(place)) return undefined;
  for (const [i, part] of (value.allOf ?? []).entries()) {
    const found = defaultOf(reader, part, joinPointer(place, 'allOf', i), new Set(seen).add(place));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether a schema accepts its own default. A refused default is reported. */
function isValid(reader: Reader, at: string): boolean {
  const place = canonicalPointer(at);
  if (!reader.invalidDefaults.has(place)) return true;
  reader.unsupported('invalid-default', joinPointer(place, 'default'), INVALID_DEFAULT);
  return false;
}
