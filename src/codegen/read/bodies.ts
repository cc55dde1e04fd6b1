/** Reads request bodies and response bodies: how each media type travels, and what its schema says. */

import type { FieldCodec } from '../../engine/contract.js';
import type { BodyKind, MediaTypeModel, RequestBodyModel } from '../model.js';
import type { MediaTypeObject, Referenced, RequestBodyObject, Schema, SchemaObject } from '../openapi.js';
import { coercionOf } from './coercion.js';
import type { Reader } from './reader.js';
import { joinPointer } from '../schemas/pointer.js';

/** The request body of an operation, if it takes one. */
export function readRequestBody(
  reader: Reader,
  declared: Referenced<RequestBodyObject> | undefined,
  at: string,
): RequestBodyModel | undefined {
  if (declared === undefined) return undefined;
  const { value, at: place } = reader.follow(declared, at);
  const content = readContent(reader, value.content, joinPointer(place, 'content'), 'request');
  // More specific media types win over ranges (OpenAPI, Request Body Object).
  return {
    required: value.required === true,
    content: content.toSorted((a, b) => specificity(b.mediaType) - specificity(a.mediaType)),
  };
}

/** The media types of a body, in the contract's order. */
export function readContent(
  reader: Reader,
  content: Readonly<Record<string, MediaTypeObject>>,
  at: string,
  direction: 'request' | 'response',
): readonly MediaTypeModel[] {
  return Object.entries(content).map(([written, media]) => {
    const place = joinPointer(at, written);
    const mediaType = (written.split(';')[0] ?? written).trim().toLowerCase();
    const kind = kindOf(reader, mediaType, media, place, direction);
    return {
      mediaType,
      key: written,
      kind,
      schemaAt: joinPointer(place, 'schema'),
      ...(media.schema !== undefined && { schema: media.schema }),
      ...((kind === 'form' || kind === 'multipart') && direction === 'request'
        ? { fields: readFields(reader, media, place, kind) }
        : {}),
    };
  });
}

function specificity(mediaType: string): number {
  return mediaType === '*/*' ? 0 : mediaType.endsWith('/*') ? 1 : 2;
}

/** Whether a media type is JSON: `application/json`, or any type with the `+json` suffix (RFC 6839 §3.1). */
export function isJson(mediaType: string): boolean {
  return /^[^/]+\/(?:json|[^/]+\+json)$/.test(mediaType);
}

function kindOf(
  reader: Reader,
  mediaType: string,
  media: MediaTypeObject,
  at: string,
  direction: 'request' | 'response',
): BodyKind {
  if (isJson(mediaType)) return 'json';
  const isBytes = carriesBytes(reader, media.schema, at);
  if (mediaType === 'application/x-www-form-urlencoded') return direction === 'request' ? 'form' : 'other';
  if (mediaType === 'multipart/form-data') return direction === 'request' ? 'multipart' : 'other';
  if (mediaType.startsWith('text/') && !isBytes) return 'text';
  if (isBytes) return 'bytes';
  if (direction === 'response') return 'other';
  reader.gap('undecoded-body', at, `a request body in ${mediaType} reaches the handler as bytes, unchecked`);
  return 'bytes';
}

/** Whether a body is its raw bytes: no schema, or one that says nothing but "binary" (OpenAPI 3.0 and 3.1 spell it differently). */
function carriesBytes(reader: Reader, schema: Schema | undefined, at: string): boolean {
  if (schema === undefined) return true;
  const { value } = reader.followSchema(schema, at);
  if (value.format === 'binary' || value.contentMediaType !== undefined) return true;
  return Object.keys(value).every((keyword) =>
    ['description', 'title', 'example', 'examples'].includes(keyword),
  );
}

/** The fields of a form body, each with its encoding (OpenAPI, Encoding Object). */
function readFields(
  reader: Reader,
  media: MediaTypeObject,
  at: string,
  kind: 'form' | 'multipart',
): Readonly<Record<string, FieldCodec>> {
  const fields: Record<string, FieldCodec> = {};
  if (media.schema === undefined) return fields;
  for (const [name, { schema, at: place }] of propertiesOf(reader, media.schema, joinPointer(at, 'schema'))) {
    const encoding = media.encoding?.[name];
    if (encoding?.headers !== undefined) {
      reader.gap(
        'encoding-headers',
        joinPointer(at, 'encoding', name, 'headers'),
        'headers of a part are not read',
      );
    }
    const style = encoding?.style ?? 'form';
    fields[name] = {
      style,
      explode: encoding?.explode ?? style === 'form',
      value:
        kind === 'multipart'
          ? partOf(reader, schema, place)
          : fieldOf(reader, schema, place, encoding?.style),
      ...defaultOf(reader, schema, place),
    };
  }
  return fields;
}

/** A property of a urlencoded body: by its style; objects without a style are JSON (OpenAPI 3.1, Encoding Object). */
function fieldOf(reader: Reader, schema: Schema, at: string, style: string | undefined): FieldCodec['value'] {
  const coercion = coercionOf(reader, schema, at);
  return style === undefined && 'properties' in coercion ? { type: 'json' } : coercion;
}

/** A part of a multipart body: a file, several files, JSON for objects, text otherwise. */
function partOf(reader: Reader, schema: Schema, at: string): FieldCodec['value'] {
  const { value, at: place } = reader.followSchema(schema, at);
  if (isFile(reader, value, place)) return { type: 'file' };
  const coercion = coercionOf(reader, schema, at);
  if ('properties' in coercion) return { type: 'json' };
  if (value.items !== undefined && 'items' in coercion) {
    const items = reader.followSchema(value.items, joinPointer(place, 'items'));
    if (isFile(reader, items.value, items.at)) return { type: 'array', items: { type: 'file' } };
    if ('properties' in coercion.items) return { type: 'array', items: { type: 'json' } };
  }
  return coercion;
}

function isFile(reader: Reader, schema: SchemaObject, at: string): boolean {
  if (schema.format === 'binary') return true;
  // 3.1: a part without a type, or with a media type of its own and no text encoding, is binary.
  return !reader.isVersion30 && schema.contentEncoding === undefined && carriesBytes(reader, schema, at);
}

function defaultOf(reader: Reader, schema: Schema, at: string): Pick<FieldCodec, 'default'> {
  const { value } = reader.followSchema(schema, at);
  return value.default === undefined ? {} : { default: value.default };
}

/** The properties of an object schema, those of its `allOf` parts included. */
export function propertiesOf(
  reader: Reader,
  schema: Schema,
  at: string,
): ReadonlyMap<string, { readonly schema: Schema; readonly at: string }> {
  const { value, at: place } = reader.followSchema(schema, at);
  const properties = new Map<string, { schema: Schema; at: string }>();
  for (const [i, part] of (value.allOf ?? []).entries()) {
    for (const [name, property] of propertiesOf(reader, part, joinPointer(place, 'allOf', i))) {
      properties.set(name, property);
    }
  }
  for (const [name, property] of Object.entries(value.properties ?? {})) {
    properties.set(name, { schema: property, at: joinPointer(place, 'properties', name) });
  }
  return properties;
}
