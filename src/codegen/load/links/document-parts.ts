/** The Schema Objects of an OpenAPI document, or of a file with parts of one, and its references outside of schemas. */
import { isObject } from '../../schemas/document.js';
import { joinPointer } from '../../text/pointer.js';
import { words } from '../../text/identifiers.js';

type DocumentPart = SchemaPart | ReferencePart;

interface SchemaPart {
  readonly schema: unknown;
  readonly at: string;
}

interface ReferencePart {
  readonly reference: string;
  readonly holder: object;
}

/** Fields whose members have free names, such as `schema`. */
const NAMED = new Set(
  words(`parameters responses requestBodies headers examples links callbacks pathItems mediaTypes securitySchemes
  content paths webhooks variables scopes encoding`),
);

const DATA = /^(?:examples?|default|enum|const|x-.*)$/;

export function* referencesAndSchemas(value: unknown): Generator<DocumentPart> {
  yield* parts(value, '#', '', new Set());
}

function* parts(value: unknown, at: string, key: string, seen: Set<object>): Generator<DocumentPart> {
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  // A YAML alias makes one object a part of several.
  seen.add(value);
  const isNamed = NAMED.has(key) && !Array.isArray(value);
  if ('$ref' in value && typeof value.$ref === 'string') yield { reference: value.$ref, holder: value };
  for (const [name, member] of Object.entries(value) as Iterable<[string, unknown]>) {
    const place = joinPointer(at, name);
    if (isNamed) yield* parts(member, place, '', seen);
    else if (DATA.test(name)) continue;
    else if (name === 'schema' || name === 'itemSchema') yield { schema: member, at: place };
    else if (name === 'schemas' && isObject(member))
      for (const [each, schema] of Object.entries(member)) yield { schema, at: joinPointer(place, each) };
    else yield* parts(member, place, name, seen);
  }
}
