/** Finds the defaults that their own schemas refuse: inserted into a request, such a default would refuse its sender. */
import { joinPointer, resolvePointer } from '../text/pointer.js';
import { compileValidators, type ValidatorRequest } from './compile-validators.js';
import type { SchemaOptions } from './contract-schemas.js';
import { isObject, type OpenApiDocument } from './document.js';

/** Members of these have names, and a member named `default` is no default. */
const MAPS =
  /^(?:responses|properties|patternProperties|\$defs|definitions|schemas|parameters|headers|variables)$/;
const DATA = /^(?:examples?|default|enum|const|x-.*)$/;

/** The places of the schemas whose `default` they refuse themselves. */
export async function invalidDefaults(
  document: OpenApiDocument,
  { formats = 'assert', remotes = {} }: SchemaOptions,
): Promise<ReadonlySet<string>> {
  const places = [...placesWithDefault(document, '#', '')];
  const wanted = places.map((pointer, index): ValidatorRequest => ({
    name: `default${index}_`,
    schema: { pointer },
    direction: 'request',
  }));
  const requests = compiledRequests(document, wanted, { formats, remotes });
  if (requests === undefined) return new Set();
  const url = `data:text/javascript;base64,${Buffer.from(requests).toString('base64')}`;
  const checks = (await import(url)) as Readonly<Record<string, (value: unknown) => boolean>>;
  return new Set(
    places.filter((pointer, index) => {
      const schema = resolvePointer(document, pointer);
      const value: unknown = isObject(schema) ? structuredClone(schema['default']) : undefined;
      // A schema that accepts everything has no check.
      return checks[`default${index}_`]?.(value) === false;
    }),
  );
}

/** The text of the checks; undefined where the document has a fault, which compiling its own checks finds again. */
function compiledRequests(
  document: OpenApiDocument,
  wanted: readonly ValidatorRequest[],
  options: SchemaOptions,
): string | undefined {
  try {
    return compileValidators(document, wanted, { ...options, contract: 'defaults' }).requests.js;
  } catch {
    return undefined;
  }
}

function* placesWithDefault(value: unknown, at: string, key: string): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  if (isObject(value) && 'default' in value && !MAPS.test(key)) yield at;
  for (const [name, member] of Object.entries(value)) {
    if (!DATA.test(name) || MAPS.test(key))
      yield* placesWithDefault(member, joinPointer(at, name), MAPS.test(key) ? '' : name);
  }
}
