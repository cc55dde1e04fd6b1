/** Finds the defaults that their own schemas refuse: a request into which such a default is inserted would be refused. */
import { joinPointer, resolvePointer } from '../text/pointer.js';
import { checksAt } from './compile-validators.js';
import type { SchemaOptions } from './contract-schemas.js';
import { isObject, type OpenApiDocument } from './document.js';

/** Keywords whose members have arbitrary names, so that a member named `default` is not a default. */
const MAPS =
  /^(?:responses|properties|patternProperties|\$defs|definitions|schemas|parameters|headers|variables)$/;
const DATA = /^(?:examples?|default|enum|const|x-.*)$/;

/** Finds the places of the schemas that refuse their own `default`. */
export async function invalidDefaults(
  document: OpenApiDocument,
  { formats = 'assert' }: SchemaOptions,
): Promise<ReadonlySet<string>> {
  const places = [...placesWithDefault(document, '#', '')];
  // A fault of the document is found again when its checks are compiled.
  const checks = await checksAt(document, places, 'request', { formats }).catch(
    () => new Map<string, never>(),
  );
  return new Set(
    places.filter((pointer) => {
      const schema = resolvePointer(document, pointer);
      const value: unknown = isObject(schema) ? structuredClone(schema['default']) : undefined;
      return checks.get(pointer)?.(value) === false;
    }),
  );
}

function* placesWithDefault(value: unknown, at: string, key: string): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  if (isObject(value) && 'default' in value && !MAPS.test(key)) yield at;
  for (const [name, member] of Object.entries(value)) {
    if (!DATA.test(name) || MAPS.test(key))
      yield* placesWithDefault(member, joinPointer(at, name), MAPS.test(key) ? '' : name);
  }
}
