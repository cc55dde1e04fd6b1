/** The types of request bodies, one variant per media type. */

import type { MediaTypeModel, OperationModel, PartsModel } from '../read/model.js';
import { isFilePart } from '../read/parts.js';
import type { Reader } from '../read/reader.js';
import { propertyName } from '../text/literal.js';
import { itemsType } from './items-type.js';
import { schemaType } from './schema-type.js';
import { indented, operationPlace, recordType } from './text.js';

/**
 * The members that a body adds to a request: one list per media type, discriminated by `contentType`. An operation without
 * a body has none; a single media type needs no `contentType`, unless it is a range.
 */
export function requestBodyMembers(
  reader: Reader,
  operation: OperationModel,
  root: string,
): readonly (readonly string[])[] {
  const body = operation.requestBody;
  if (body === undefined) return [];
  const several = body.content.length > 1;
  const variants = body.content.map((media) => {
    const member = `body${body.required ? '' : '?'}: ${bodyType(reader, operation, media, root)}`;
    const tag = media.mediaType.includes('*') ? 'string' : JSON.stringify(media.mediaType);
    return several || media.mediaType.includes('*') ? [`contentType: ${tag}`, member] : [member];
  });
  // With a choice and no body, there is no content type to tell.
  return several && !body.required
    ? [
        ...variants.map((members) => members.map((member) => member.replace('body?', 'body'))),
        ['contentType?: never', 'body?: never'],
      ]
    : variants;
}

function bodyType(reader: Reader, operation: OperationModel, media: MediaTypeModel, root: string): string {
  if (media.kind === 'bytes') return 'Uint8Array';
  if (media.kind === 'byte-stream') return 'AsyncIterable<Uint8Array>';
  const place = `${operationPlace(operation, root)}["requestBody"]`;
  const elsewhere = `NonNullable<${place}>["content"][${JSON.stringify(media.key)}]`;
  if (media.kind === 'items') return itemsType(reader, media, 'request', elsewhere);
  if (media.parts !== undefined) return partsType(reader, media.parts, elsewhere);
  if (media.schema === undefined) return media.kind === 'text' ? 'string' : 'unknown';
  const type = schemaType(reader, media.schema, 'request', elsewhere);
  return withFiles(type, media);
}

/** One member per field, told apart by its name. */
function partsType(reader: Reader, { fields }: PartsModel, elsewhere: string): string {
  const members = Object.entries(fields).map(([name, part]) => {
    const tag = `name: ${JSON.stringify(name)}`;
    if (isFilePart(part)) {
      return recordType(
        [tag, 'filename: string', 'contentType: string', 'body: AsyncIterable<Uint8Array>'],
        8,
      );
    }
    const property = `Exclude<${elsewhere}[${JSON.stringify(name)}], undefined>${part.several ? '[number]' : ''}`;
    return recordType([tag, `value: ${schemaType(reader, part.schema, 'request', property)}`], 8);
  });
  if (members.length === 0) return 'AsyncIterable<never>';
  return `AsyncIterable<${members.map((member) => `\n  | ${indented(member, 4)}`).join('')}\n>`;
}

/** openapi-typescript types files as strings; a handler gets the platform's `File`. */
function withFiles(type: string, media: MediaTypeModel): string {
  const files = Object.entries(media.fields ?? {}).flatMap(([name, { value }]): readonly string[] => {
    if ('type' in value && value.type === 'file') return [`${propertyName(name)}: File`];
    const isList = 'items' in value && 'type' in value.items && value.items.type === 'file';
    return isList ? [`${propertyName(name)}: File[]`] : [];
  });
  if (files.length === 0) return type;
  return `WithFiles<${type}, { ${files.join('; ')} }>`;
}
