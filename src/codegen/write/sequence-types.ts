/** The types of media types with `itemSchema` (OpenAPI 3.2), which openapi-typescript does not know: `AsyncIterable<Item>`. */

import { type OpenAPITSOptions, transformSchemaObject } from 'openapi-typescript';
import ts from 'typescript';
import type { MediaTypeObject, OpenApiDocument, SchemaObject } from '../load/openapi.js';
import { decodedEvent } from '../read/event-data.js';
import { essenceOf } from '../read/media-types.js';

/** A keyword that makes a schema the schema of a sequence of such items. */
const ITEMS = 'x-concordat-items';

/**
 * Gives every media type that has items a schema of their sequence.
 *
 * @param value - a part of a copy of the document, which is changed
 */
export function withSequences(value: unknown, document: OpenApiDocument): void {
  if (typeof value !== 'object' || value === null || !document.openapi.startsWith('3.2.')) return;
  for (const [key, member] of Object.entries(value)) {
    if (key === 'content' && typeof member === 'object' && member !== null) {
      const content = member as Readonly<Record<string, MediaTypeObject>>;
      for (const [mediaType, media] of Object.entries(content)) withSequence(mediaType, media, document);
    }
    withSequences(member, document);
  }
}

function withSequence(mediaType: string, media: MediaTypeObject, document: OpenApiDocument): void {
  const { itemSchema } = media;
  if (itemSchema === undefined) return;
  const isEvents = essenceOf(mediaType) === 'text/event-stream';
  const item = (isEvents ? decodedEvent(document, itemSchema)?.schema : undefined) ?? itemSchema;
  // openapi-typescript hands only schemas with a type to `transform`.
  Object.assign(media, { schema: { type: 'object', [ITEMS]: item } });
}

/** Writes the type of such a schema; others are left to openapi-typescript. */
export const sequenceType: NonNullable<OpenAPITSOptions['transform']> = (schema, options) => {
  const { [ITEMS]: item } = schema as SchemaObject;
  if (item === undefined) return undefined;
  const type = transformSchemaObject(item as typeof schema, options);
  return ts.factory.createTypeReferenceNode('AsyncIterable', [type]);
};
