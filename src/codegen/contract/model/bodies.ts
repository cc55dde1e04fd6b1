/** Reads request bodies and response bodies: the encoding and the schema of each media type. */

import type { BodyKind, MediaTypeModel, RequestBodyModel } from './model.js';
import type { SchemaNode } from '../schemas/contract-schemas.js';
import type { MediaTypeObject, OperationObject } from '../schemas/document.js';
import { coercionOf, descriptionsOf } from './schema-shape.js';
import { readFields, readParts } from './form-fields.js';
import { carriesBytes, essenceOf, isJson, saysBytes } from './media-types.js';
import type { Located, Reader } from './reader.js';
import { readSequence } from './sequences.js';
import { joinPointer } from '../../text/pointer.js';

export function readRequestBody(
  reader: Reader,
  { value: operation, at }: Located<OperationObject>,
): RequestBodyModel | undefined {
  const streams = readStreaming(reader, operation, at);
  const limit = readBodyLimit(reader, operation, at);
  if (operation.requestBody === undefined) return undefined;
  const { value, at: place } = reader.follow(operation.requestBody, joinPointer(at, 'requestBody'));
  const content = readContent(reader, value.content, joinPointer(place, 'content'), 'request');
  const bodies = streams ? content.map((media) => streamed(reader, media)) : content;
  if (streams && !bodies.some(({ kind }) => STREAMED.has(kind)))
    noteExtension(reader, at, 'x-stream', 'only bytes and multipart/form-data can be streamed by it');
  // More specific media types win over ranges (OpenAPI, Request Body Object).
  return {
    required: value.required === true,
    ...(limit !== undefined && { limit }),
    content: bodies.toSorted((a, b) => specificity(b.mediaType) - specificity(a.mediaType)),
  };
}

const STREAMED: ReadonlySet<BodyKind> = new Set(['byte-stream', 'parts']);

/** `x-stream: true`: the operation reads bytes and multipart forms as they arrive. */
function readStreaming(reader: Reader, operation: OperationObject, at: string): boolean {
  const { 'x-stream': value = false } = operation;
  if (typeof value !== 'boolean') noteExtension(reader, at, 'x-stream', 'it must be true or false');
  if (value === true && operation.requestBody === undefined)
    noteExtension(reader, at, 'x-stream', 'the operation has no body');
  return value === true;
}

/** `x-body-limit`: a number of bytes. */
function readBodyLimit(reader: Reader, operation: OperationObject, at: string): number | undefined {
  const { 'x-body-limit': limit } = operation;
  if (limit === undefined) return undefined;
  if (typeof limit !== 'number' || !Number.isSafeInteger(limit) || limit < 0) {
    noteExtension(reader, at, 'x-body-limit', 'it must be a number of bytes');
    return undefined;
  }
  if (operation.requestBody === undefined)
    noteExtension(reader, at, 'x-body-limit', 'the operation has no body');
  return limit;
}

function noteExtension(reader: Reader, at: string, name: string, message: string): void {
  reader.fault('invalid-extension', joinPointer(at, name), message);
}

/** The media type in the form that is read piece by piece; unchanged if it has none. */
function streamed(reader: Reader, media: MediaTypeModel): MediaTypeModel {
  if (media.kind === 'bytes') return { ...media, kind: 'byte-stream' };
  const { mediaType, key, at, node, fields } = media;
  if (media.kind !== 'multipart' || fields === undefined) return media;
  const parts = readParts(reader, node ?? reader.schemas.made(true, joinPointer(at, 'schema')), fields);
  return { mediaType, key, kind: 'parts', at, parts, whole: media };
}

/** The media types of a body, in the contract's order. */
export function readContent(
  reader: Reader,
  content: Readonly<Record<string, MediaTypeObject>>,
  at: string,
  direction: 'request' | 'response',
): readonly MediaTypeModel[] {
  const seen = new Set<string>();
  const declared = new Set(Object.keys(content).map(essenceOf));
  const bodies = Object.entries(content).flatMap(([written, media]): readonly MediaTypeModel[] => {
    const place = joinPointer(at, written);
    const node = reader.schemaOf(media, place);
    const mediaType = meantType(essenceOf(written), node, direction, declared);
    if (mediaType !== essenceOf(written))
      reader.unsupported('body-by-schema', place, `what its schema describes is sent as ${mediaType}`);
    noteParameters(reader, written, place);
    if (seen.has(mediaType)) {
      const message = 'another media type differs from this one in its parameters only';
      reader.unsupported('same-media-type', place, message);
      return [];
    }
    seen.add(mediaType);
    const sequence = readSequence(reader, mediaType, media, place, direction);
    if (sequence !== undefined) return [{ mediaType, key: written, at: place, ...sequence }];
    const kind = kindOf(reader, mediaType, node, place, direction);
    const isForm = direction === 'request' && (kind === 'form' || kind === 'multipart');
    const fields = isForm ? readFields(reader, media, node, place, kind) : undefined;
    return [{ mediaType, key: written, kind, at: place, ...(node && { node }), ...(fields && { fields }) }];
  });
  // A client without a preference gets JSON under its own name.
  const isPlainJson = ({ mediaType, kind }: MediaTypeModel): boolean =>
    mediaType === 'text/plain' && kind === 'json';
  return bodies.toSorted((a, b) => Number(isPlainJson(a)) - Number(isPlainJson(b)));
}

/**
 * The media type itself, or the one that a framework sends where it declares a range: JSON, or plain text, whichever the schema describes.
 *
 * @param declared - the media types of the same body; a range keeps its meaning beside the one that it would stand for
 */
function meantType(
  mediaType: string,
  node: SchemaNode | undefined,
  direction: 'request' | 'response',
  declared: ReadonlySet<string>,
): string {
  if (node === undefined || (mediaType !== '*/*' && mediaType !== 'application/*')) return mediaType;
  // A request in any type may be a file, although its schema says `string`.
  const isPlainText = mediaType === '*/*' && direction === 'response' && isText(node);
  const meant = isJsonValue(node) ? 'application/json' : isPlainText ? 'text/plain' : mediaType;
  return declared.has(meant) ? mediaType : meant;
}

/** Whether values are neither texts nor bytes, so that their JSON cannot be anything else. */
function isJsonValue(node: SchemaNode): boolean {
  const mayBeText = (description: readonly SchemaNode[]): boolean =>
    description.every((each) => each.mayBe('string'));
  return !carriesBytes(node) && !descriptionsOf(node).some(mayBeText);
}

/** `charset=utf-8` is ignored, because text is always UTF-8. No other parameter is supported. */
function noteParameters(reader: Reader, written: string, at: string): void {
  const [, ...parameters] = written.split(';').map((part) => part.trim().toLowerCase());
  if (parameters.every((each) => /^charset="?utf-?8"?$/.test(each))) return;
  reader.unsupported('media-type-parameters', at, 'the parameters of a media type are ignored');
}

function specificity(mediaType: string): number {
  return mediaType === '*/*' ? 0 : mediaType.endsWith('/*') ? 1 : 2;
}

function kindOf(
  reader: Reader,
  mediaType: string,
  node: SchemaNode | undefined,
  at: string,
  direction: 'request' | 'response',
): BodyKind {
  if (isJson(mediaType)) return 'json';
  if (mediaType === 'application/x-www-form-urlencoded') return direction === 'request' ? 'form' : 'other';
  if (mediaType === 'multipart/form-data') return direction === 'request' ? 'multipart' : 'other';
  if (mediaType.startsWith('text/') && isText(node)) return 'text';
  if (carriesBytes(node)) return 'bytes';
  if (mediaType === 'text/plain' && node !== undefined && isJsonValue(node)) {
    reader.unsupported('body-by-schema', at, 'what its schema describes is sent as JSON');
    return 'json';
  }
  if (direction === 'response') return 'other';
  const message = `a request body in ${mediaType} reaches the handler as bytes, unchecked`;
  // The check of a text would find little in these bytes.
  const isNotice = node !== undefined && !node.mayBe('object') && !node.mayBe('array');
  reader.unsupported('undecoded-body', at, message, isNotice);
  return 'bytes';
}

/** Whether a text body is a string, and not bytes or a value that would have to be encoded as text. */
function isText(node: SchemaNode | undefined): boolean {
  if (node === undefined) return true;
  if (descriptionsOf(node).some(saysBytes)) return false;
  const coercion = coercionOf(node);
  return 'type' in coercion && coercion.type === 'string';
}
