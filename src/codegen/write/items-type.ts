/** The type of a sequential media type: an `AsyncIterable` of its items. */

import type { MediaTypeModel } from '../read/model.js';
import type { Reader } from '../read/reader.js';
import { carriesOnlyBytes } from './checks.js';
import { type Side, schemaType } from './schema-type.js';

/** @param elsewhere - the indexed access into `openapi.ts`, where the whole sequence has its type */
export function itemsType(reader: Reader, media: MediaTypeModel, side: Side, elsewhere: string): string {
  const { schema = true, checked = schema, items } = media;
  if (carriesOnlyBytes(media)) return 'AsyncIterable<Uint8Array>';
  const item = schemaType(reader, checked, side, `ItemOf<${elsewhere}>`);
  const hasBytes =
    items?.format === 'multipart' &&
    [items.part, ...(items.first ?? [])].some(({ kind }) => kind === 'bytes');
  return `AsyncIterable<${item}${hasBytes ? ' | Uint8Array' : ''}>`;
}
