/** Finds the properties that an object schema declares, in itself and in its parts and alternatives. */

import type { Schema } from '../load/openapi.js';
import { joinPointer } from '../text/pointer.js';
import type { Located, Reader } from './reader.js';

/** A place that declares a property. */
export interface Property extends Located<Schema> {
  /** Whether the place applies to every value, and not only to one alternative. */
  readonly isCertain: boolean;
}

/** The properties of a schema by name, each with every place that declares it. */
export function propertiesOf(
  reader: Reader,
  schema: Schema,
  at: string,
): ReadonlyMap<string, readonly Property[]> {
  const properties = new Map<string, Property[]>();
  const seen = new Set<string>();
  const gather = (part: Schema, partAt: string, isCertain: boolean): void => {
    const { value, at: place } = reader.followSchema(part, partAt);
    if (seen.has(place)) return;
    seen.add(place);
    for (const [name, property] of Object.entries(value.properties ?? {})) {
      const found = { value: property, at: joinPointer(place, 'properties', name), isCertain };
      properties.set(name, [...(properties.get(name) ?? []), found]);
    }
    for (const keyword of ['allOf', 'oneOf', 'anyOf'] as const) {
      for (const [i, member] of (value[keyword] ?? []).entries()) {
        gather(member, joinPointer(place, keyword, i), isCertain && keyword === 'allOf');
      }
    }
  };
  gather(schema, at, true);
  return properties;
}
