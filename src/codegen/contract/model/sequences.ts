/** Reads sequential media types (OpenAPI 3.2): the format and the schema of their items, and the data of server-sent events. */

import type { PartCodec, Sequence } from '@concordat/runtime';
import type { EncodingObject, MediaTypeObject, Schema, SchemaObject } from '../schemas/document.js';
import type { SchemaNode } from '../schemas/contract-schemas.js';
import { joinPointer } from '../../text/pointer.js';
import { carriesBytes, contentMediaTypeOf, essenceOf, isJson } from './media-types.js';
import { coercionOf, descriptionsOf } from './schema-shape.js';
import { noteHeaders } from './form-fields.js';
import type { MediaTypeModel } from './model.js';
import type { Located, Reader } from './reader.js';
import { words } from '../../text/identifiers.js';

/** The model of a sequential media type; undefined for a media type without items. */
export function readSequence(
  reader: Reader,
  mediaType: string,
  media: MediaTypeObject,
  at: string,
  direction: 'request' | 'response',
): Pick<MediaTypeModel, 'kind' | 'node' | 'checked' | 'items'> | undefined {
  const node = reader.schemaOf(media, at, 'itemSchema');
  // The field has no meaning before 3.2.
  if (node === undefined || !reader.isVersion32) return undefined;
  const isEvents = mediaType === 'text/event-stream';
  const decoded = isEvents ? decodedEvent(node) : undefined;
  const items = sequenceOf(reader, mediaType, { value: media, at }, node, direction, decoded?.data);
  if (items === undefined) {
    reader.unsupported('item-schema', node.at, `${mediaType} is not read or written item by item`);
    return undefined;
  }
  if (media.schema !== undefined && media.schema !== true) {
    const message = 'the schema of all items together is ignored';
    reader.unsupported('sequence-schema', joinPointer(at, 'schema'), message);
  }
  const checked = decoded?.schema ?? withoutBytes(node);
  const isOther = checked !== node.schema;
  return { kind: 'items', node, items, ...(isOther && { checked: node.schemas.made(checked, node.at) }) };
}

/** The schema of a part without the alternatives that are bytes, because no schema describes bytes. */
function withoutBytes({ schema, target }: SchemaNode): Schema {
  const keyword = target.object.oneOf === undefined ? 'anyOf' : 'oneOf';
  const { [keyword]: alternatives = [], ...beside } = target.object;
  const others = target.under(keyword).flatMap((each) => (carriesBytes(each) ? [] : [each.schema]));
  if (others.length === alternatives.length) return schema;
  const [only] = others;
  return only !== undefined && others.length === 1 && Object.keys(beside).length === 0
    ? only
    : { ...beside, [keyword]: others };
}

function sequenceOf(
  reader: Reader,
  mediaType: string,
  media: Located<MediaTypeObject>,
  node: SchemaNode,
  direction: 'request' | 'response',
  data: 'json' | 'mixed' | undefined,
): Sequence | undefined {
  if (/^application\/(?:jsonl|x-ndjson|x-jsonlines)$/.test(mediaType)) return { format: 'json-lines' };
  if (/^[^/]+\/(?:json-seq|[^/]+\+json-seq)$/.test(mediaType)) return { format: 'json-seq' };
  if (mediaType === 'text/event-stream') return { format: 'events', ...(data && { data }) };
  if (!/^multipart\/(?!form-data$|\*$)/.test(mediaType)) return undefined;
  const { value, at } = media;
  const codec = (encoding: EncodingObject, ...tokens: readonly (string | number)[]): PartCodec =>
    partCodec(reader, node, { value: encoding, at: joinPointer(at, ...tokens) }, direction);
  const first = (value.prefixEncoding ?? []).map((each, index) => codec(each, 'prefixEncoding', index));
  return {
    format: 'multipart',
    ...(first.length > 0 && { first }),
    part: codec(value.itemEncoding ?? {}, 'itemEncoding'),
  };
}

/** The encoding of one part (Encoding Object): JSON, text, or bytes. */
function partCodec(
  reader: Reader,
  node: SchemaNode,
  encoding: Located<EncodingObject>,
  direction: 'request' | 'response',
): PartCodec {
  noteHeaders(reader, encoding);
  const descriptions = descriptionsOf(node);
  const isEncoded = descriptions.flat().some(({ object }) => object.contentEncoding !== undefined);
  const isBytes = isEncoded || carriesBytes(node);
  const coercion = coercionOf(node);
  const isText = !isBytes && 'type' in coercion && coercion.type === 'string';
  const ofBytes = contentMediaTypeOf(descriptions[0] ?? []) ?? 'application/octet-stream';
  const byDefault = isBytes ? ofBytes : isText ? 'text/plain' : 'application/json';
  const [first = byDefault, ...others] = (encoding.value.contentType ?? byDefault)
    .split(',')
    .map((type) => type.trim().toLowerCase());
  const contentTypes = [first, ...others] as const;
  const typeAt = joinPointer(encoding.at, 'contentType');
  if (direction === 'response' && first.includes('*'))
    reader.unsupported('undecoded-part', typeAt, `${first} does not say which type a part is sent with`);
  if (contentTypes.every(isJson)) return { kind: 'json', contentTypes };
  if (isText && contentTypes.every((type) => type.startsWith('text/'))) return { kind: 'text', contentTypes };
  if (!isBytes && withoutBytes(node) === node.schema)
    reader.unsupported('undecoded-part', typeAt, `${contentTypes.join(', ')} remains bytes, unchecked`);
  return { kind: 'bytes', contentTypes };
}

/** An event whose data is decoded. */
interface DecodedEvent {
  /** The schema of the event with the value of its data. */
  readonly schema: Schema;
  /** `json`: the data of every event is JSON; `mixed`: only that of some alternatives. */
  readonly data: 'json' | 'mixed';
}

/** The keywords that can be moved from an event into its alternatives without a change of meaning. */
const MOVABLE = new Set(words('type properties required title description $comment example examples'));

/**
 * The event with its data decoded; undefined if its data remains text. That is the case for an event without a `contentSchema`,
 * and for one whose `contentSchema` is neither in its own properties nor in those of its `oneOf` or `anyOf`.
 */
export function decodedEvent(node: SchemaNode): DecodedEvent | undefined {
  const event = merged(node);
  if (event === undefined) return undefined;
  const content = contentOf(event);
  if (content !== undefined) return { schema: withData(event, content), data: 'json' };
  const keyword = event.oneOf === undefined ? 'anyOf' : 'oneOf';
  const { [keyword]: alternatives = [], ...base } = event;
  if (!isMovable(base)) return undefined;
  const events = alternatives
    .map((each) => merged(node.schemas.made(each, node.at)))
    .filter((each) => each !== undefined);
  if (events.length < alternatives.length || !events.every(isMovable)) return undefined;
  const whole = events.map((each) => joined(base, each));
  const contents = whole.map(contentOf);
  if (contents.every((each) => each === undefined)) return undefined;
  return {
    schema: { [keyword]: whole.map((each, index) => withData(each, contents[index])) },
    data: contents.includes(undefined) ? 'mixed' : 'json',
  };
}

/** The schema joined with the one that it refers to; undefined if the two cannot be joined. */
function merged({ schema, reference }: SchemaNode): SchemaObject | undefined {
  if (typeof schema === 'boolean') return undefined;
  if (reference === undefined) return schema;
  const { $ref: _reference, ...beside } = schema;
  const target = merged(reference);
  if (target === undefined || Object.keys(beside).length === 0) return target;
  return isMovable(target) ? joined(target, beside) : undefined;
}

function isMovable(schema: SchemaObject): boolean {
  return Object.keys(schema).every((keyword) => MOVABLE.has(keyword));
}

/** Joins two schemas; the first must be movable. */
function joined(one: SchemaObject, other: SchemaObject): SchemaObject {
  const properties = new Map(Object.entries(one.properties ?? {}));
  for (const [name, schema] of Object.entries(other.properties ?? {})) {
    const own = properties.get(name);
    properties.set(name, own === undefined ? schema : joinedProperty(own, schema));
  }
  return {
    ...one,
    ...other,
    properties: Object.fromEntries(properties),
    required: [...new Set([...(one.required ?? []), ...(other.required ?? [])])],
  };
}

function joinedProperty(one: Schema, other: Schema): Schema {
  const isText = typeof one === 'object' && one.type === 'string' && isMovable(one);
  // If the first schema is text without restrictions, the other schema alone decides.
  return isText && typeof other === 'object' ? { ...one, ...other } : { allOf: [one, other] };
}

/** The schema of the value that the data of an event holds as JSON. */
function contentOf({ properties = {} }: SchemaObject): Schema | undefined {
  const { data } = properties;
  if (typeof data !== 'object' || data.contentMediaType === undefined) return undefined;
  return isJson(essenceOf(data.contentMediaType)) ? (data['contentSchema'] as Schema | undefined) : undefined;
}

function withData(event: SchemaObject, data: Schema | undefined): SchemaObject {
  return data === undefined ? event : { ...event, properties: { ...event.properties, data } };
}
