/**
 * The data of server-sent events as values. By the specification `data` is a string (OpenAPI 3.2, "Special Considerations for
 * Server-Sent Events"); if `contentMediaType` and `contentSchema` say that it holds JSON, handlers get the value.
 */

import type { OpenApiDocument, Schema, SchemaObject } from '../load/openapi.js';
import { resolvePointer } from '../text/pointer.js';
import { essenceOf, isJson } from './media-types.js';
import { words } from '../text/names.js';

/** An event whose data is decoded. */
export interface DecodedEvent {
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
export function decodedEvent(document: OpenApiDocument, schema: Schema): DecodedEvent | undefined {
  const event = merged(document, schema);
  if (event === undefined) return undefined;
  const content = contentOf(event);
  if (content !== undefined) return { schema: withData(event, content), data: 'json' };
  const keyword = event.oneOf === undefined ? 'anyOf' : 'oneOf';
  const { [keyword]: alternatives = [], ...base } = event;
  if (!isMovable(base)) return undefined;
  const events = alternatives.map((each) => merged(document, each)).filter((each) => each !== undefined);
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
function merged(document: OpenApiDocument, schema: Schema): SchemaObject | undefined {
  if (typeof schema === 'boolean') return undefined;
  const { $ref, ...beside } = schema;
  if (typeof $ref !== 'string') return schema;
  const target = merged(document, resolvePointer(document, $ref) as Schema);
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
