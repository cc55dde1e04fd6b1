/** Inserts the defaults of schemas into requests if it is certain which schema applies, and reports all others. */
import { type ContractSchemas, INVALID_DEFAULT, type Placed } from './contract-schemas.js';
import { isObject } from './document.js';
import type { NormalSchema } from './units.js';
import { joinPointer } from '../text/pointer.js';

/** `lost`: in a request, inside alternatives that are only tried, so that nothing may be inserted. */
export type Defaults = 'insert' | 'lost' | 'none';

/** A property's schema, with its default if it is inserted. */
export function withDefault(
  schemas: ContractSchemas,
  schema: NormalSchema,
  property: Placed,
  defaults: Defaults,
): NormalSchema {
  const refused = (at: string): void => {
    if (defaults === 'insert') schemas.unsupported('invalid-default', at, INVALID_DEFAULT);
  };
  const found = defaults === 'none' ? undefined : schemas.defaultOf(property, refused);
  if (found === undefined) return schema;
  if (defaults === 'insert') {
    const checks = typeof schema === 'boolean' ? (schema ? {} : { not: {} }) : schema;
    return { ...checks, default: found.value };
  }
  reportLost(schemas, defaultPlace(property));
  return schema;
}

/** Reports the default of an alternative: only defaults of properties are inserted. */
export function reportOwnDefault(schemas: ContractSchemas, alternative: Placed, defaults: Defaults): void {
  const hasDefault = isObject(alternative.schema) && 'default' in alternative.schema;
  if (hasDefault && defaults !== 'none') reportLost(schemas, defaultPlace(alternative));
}

/** Reports a default that is not inserted. */
export function reportLost(schemas: ContractSchemas, at: string): void {
  schemas.unsupported(
    'default-in-composition',
    at,
    'a default inside anyOf, oneOf, not, if, contains or propertyNames is not inserted: it is not known which alternative applies',
  );
}

/** The place of a property's default: its own keyword, or the property itself when the default is in a schema that it refers to. */
export function defaultPlace({ schema, at }: Placed): string {
  return isObject(schema) && 'default' in schema ? joinPointer(at, 'default') : at;
}
