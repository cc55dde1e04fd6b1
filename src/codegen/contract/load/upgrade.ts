/** Upgrades the schemas of OpenAPI 3.0 to those of 3.1, so that all later steps read one schema language. */

import { joinPointer } from '../../text/pointer.js';
import { visitSchemas } from '../schemas/document-structure.js';
import type { OpenApiDocument } from '../schemas/document.js';

/** Keywords that remain beside a reference: they only describe the value. */
const BESIDE_REFERENCE = new Set(['$ref', 'title', 'description', 'deprecated']);

/**
 * A copy of a document of 3.0 with schemas of 3.1; another document itself. Each keyword stays in its place, and exclusive bounds are
 * where their flags are, so that problems are reported where the author wrote them.
 *
 * @param ignored - called for each keyword that has no effect in 3.0, although the author may expect one
 */
export function upgraded<Document extends Pick<OpenApiDocument, 'openapi'>>(
  document: Document,
  ignored: (at: string, message: string) => void = () => undefined,
): Document {
  if (!document.openapi.startsWith('3.0.')) return document;
  const copy = structuredClone(document);
  visitSchemas(copy, (schema, at) => {
    if (typeof schema['$ref'] === 'string') {
      // The other fields of a reference are ignored (OpenAPI 3.0.3, Reference Object).
      for (const keyword of Object.keys(schema))
        if (!BESIDE_REFERENCE.has(keyword) && !keyword.startsWith('x-')) {
          Reflect.deleteProperty(schema, keyword);
          if (keyword !== 'example')
            ignored(joinPointer(at, keyword), `OpenAPI 3.0 ignores "${keyword}" beside a $ref`);
        }
    } else {
      const unusable = upgradeNullable(schema);
      if (unusable !== undefined) ignored(joinPointer(at, 'nullable'), unusable);
      upgradeBounds(schema);
    }
  });
  return copy;
}

/**
 * `nullable` adds null to `type` and to nothing else (OpenAPI 3.0.3, and its proposal "Clarify Semantics of nullable").
 *
 * @returns why null is not allowed although the author says so
 */
function upgradeNullable(schema: Record<string, unknown>): string | undefined {
  const { nullable, type, enum: values } = schema;
  if (typeof nullable !== 'boolean') return undefined;
  delete schema['nullable'];
  const isExcluded = Array.isArray(values) && !values.includes(null);
  if (!nullable) return undefined;
  if (typeof type !== 'string') return 'OpenAPI 3.0 ignores "nullable" without a "type" beside it';
  if (isExcluded) return '"nullable" adds nothing to an "enum" without null';
  schema['type'] = [type, 'null'];
  return undefined;
}

/** Replaces flags, which exclude the bounds beside them, by the exclusive bounds of 3.1. */
export function upgradeBounds(schema: Record<string, unknown>): void {
  for (const [bound, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    if (typeof schema[exclusive] !== 'boolean') continue;
    if (schema[exclusive] && typeof schema[bound] === 'number') {
      schema[exclusive] = schema[bound];
      Reflect.deleteProperty(schema, bound);
    } else Reflect.deleteProperty(schema, exclusive);
  }
}
