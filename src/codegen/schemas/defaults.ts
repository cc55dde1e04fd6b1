/** What becomes of a schema's defaults: inserted into requests where it is certain which schema holds, else a gap. */
import type { ContractSchemas, Placed } from './contract-schemas.js';
import { isObject } from './document.js';
import type { NormalSchema } from './normal-schema.js';
import { joinPointer } from '../text/pointer.js';

/** `lost` in a request where alternatives are tried: nothing may be inserted there. */
export type Defaults = 'insert' | 'lost' | 'none';

/** A property's schema together with what it becomes when it is absent. */
export function withDefault(
  schemas: ContractSchemas,
  schema: NormalSchema,
  property: Placed,
  defaults: Defaults,
): NormalSchema {
  const found = defaults === 'none' ? undefined : schemas.defaultOf(property);
  if (found === undefined) return schema;
  if (defaults === 'insert') {
    const checks = typeof schema === 'boolean' ? (schema ? {} : { not: {} }) : schema;
    return { ...checks, default: found.value };
  }
  reportLost(schemas, defaultPlace(property));
  return schema;
}

/** Notes the default of an alternative itself: only a property has one. */
export function reportOwnDefault(schemas: ContractSchemas, alternative: Placed, defaults: Defaults): void {
  const hasDefault = isObject(alternative.schema) && 'default' in alternative.schema;
  if (hasDefault && defaults !== 'none') reportLost(schemas, defaultPlace(alternative));
}

/** Notes a default that is not inserted. */
export function reportLost(schemas: ContractSchemas, at: string): void {
  schemas.gap(
    'default-in-composition',
    at,
    'a default inside anyOf, oneOf, not, if, contains or propertyNames is not inserted: which alternative holds is not known',
  );
}

/** Where a property gets its default from: its own keyword, or the property as a whole when what it refers to has one. */
export function defaultPlace({ schema, at }: Placed): string {
  return isObject(schema) && 'default' in schema ? joinPointer(at, 'default') : at;
}
