/** Reads the fields of form bodies, each with its encoding (OpenAPI, Encoding Object), for forms read whole or part by part. */

import type { Coercion, FieldCodec, FileCodec } from '@concordat/runtime';
import type { SchemaNode } from '../schemas/contract-schemas.js';
import { defaultOf } from '../schemas/defaults.js';
import type { EncodingObject, MediaTypeObject } from '../schemas/document.js';
import {
  coercionOf,
  descriptionsOf,
  itemsOf,
  propertiesOf,
  type Property,
  simplify,
} from './schema-shape.js';
import { contentMediaTypeOf, isJson, saysBytes, saysNothing } from './media-types.js';
import type { Located, Reader } from './reader.js';
import { joinPointer } from '../../text/pointer.js';
import { words } from '../../text/identifiers.js';
import type { MediaTypeModel, PartModel, PartsModel } from './model.js';

/** The fields of a form body by name. A body that is not an object is not supported. */
export function readFields(
  reader: Reader,
  media: MediaTypeObject,
  node: SchemaNode | undefined,
  at: string,
  kind: 'form' | 'multipart',
): Readonly<Record<string, FieldCodec>> {
  if (node === undefined) return {};
  requireObject(reader, node);
  const properties = propertiesOf(node);
  for (const name of Object.keys(media.encoding ?? {})) {
    if (properties.has(name)) continue;
    const message = 'the schema has no such property to encode';
    reader.unsupported('unknown-field', joinPointer(at, 'encoding', name), message);
  }
  return Object.fromEntries(
    [...properties].map(([name, places]) => {
      const encoding = { value: encodingOf(media, name), at: joinPointer(at, 'encoding', name) };
      return [name, readField(reader, places, encoding, kind)];
    }),
  );
}

/** Reports a form that may be something other than an object, and undeclared fields that are not text. */
function requireObject(reader: Reader, node: SchemaNode): void {
  const shape = coercionOf(node);
  const shapes = 'anyOf' in shape ? shape.anyOf : [shape];
  const { object, at: place } = node.target;
  const isUntyped = object.type === undefined && 'type' in shape && shape.type === 'string';
  if (!isUntyped && !shapes.every((each) => 'properties' in each)) {
    const message = 'a form is an object of fields, and this schema may be something else';
    reader.unsupported('form-shape', place, message);
  }
  for (const each of shapes) {
    if (!('properties' in each) || each.additional === undefined) continue;
    if (!('type' in each.additional) || each.additional.type !== 'string')
      reader.unsupported('additional-fields', place, 'fields that the schema does not name remain text');
  }
}

function encodingOf({ encoding = {} }: MediaTypeObject, name: string): EncodingObject {
  return (Object.hasOwn(encoding, name) ? encoding[name] : undefined) ?? {};
}

/** Reads one field, which several parts or alternatives of the body may declare. */
function readField(
  reader: Reader,
  places: readonly Property[],
  encoding: Located<EncodingObject>,
  kind: 'form' | 'multipart',
): FieldCodec {
  noteHeaders(reader, encoding);
  const style = encoding.value.style ?? 'form';
  const valueOf = kind === 'multipart' ? partOf : textOf;
  const values = places.map(({ node }) => ({ value: valueOf(reader, node, encoding), at: node.at }));
  const byDefault = places
    .filter(({ isCertain }) => isCertain)
    .map(({ node }) => defaultOf(node, true)?.value)
    .find((found) => found !== undefined);
  return {
    style,
    explode: encoding.value.explode ?? style === 'form',
    value: oneValue(reader, values),
    ...(byDefault !== undefined && { default: byDefault }),
  };
}

export function noteHeaders(reader: Reader, { value, at }: Located<EncodingObject>): void {
  if (value.headers === undefined) return;
  reader.unsupported('encoding-headers', joinPointer(at, 'headers'), 'headers of a part are not read');
}

/** The value of a field; all places that declare it must agree. */
function oneValue(reader: Reader, values: readonly Located<FieldCodec['value']>[]): FieldCodec['value'] {
  const texts = values.map(({ value }) => value).filter(isCoercion);
  const file = values.find(({ value }) => !isCoercion(value));
  if (file === undefined) return simplify(texts);
  if (new Set(values.map(({ value }) => JSON.stringify(value))).size > 1) {
    const message = 'this field is a file here, and text or another kind of file elsewhere';
    reader.unsupported('ambiguous-part', file.at, message);
  }
  return file.value;
}

/** A property of a urlencoded body: by its style; objects without a style are JSON (OpenAPI 3.1, Encoding Object). */
function textOf(reader: Reader, node: SchemaNode, encoding: Located<EncodingObject>): FieldCodec['value'] {
  const coercion = coercionOf(node);
  const { style, explode } = encoding.value;
  // A given style overrides the content type.
  if (style !== undefined || explode !== undefined) return coercion;
  return inContentType(reader, 'properties' in coercion ? { type: 'json' } : coercion, encoding);
}

/** A part of a multipart body: a file, several files, JSON for objects, text otherwise. */
function partOf(reader: Reader, node: SchemaNode, encoding: Located<EncodingObject>): FieldCodec['value'] {
  const files = filesOf(reader, node, encoding);
  if (files !== undefined) return files;
  const coercion = coercionOf(node);
  if ('properties' in coercion) {
    // From 3.1 on, a given style overrides the content type in this media type too (Encoding Object).
    const isStyled = encoding.value.style !== undefined || encoding.value.explode !== undefined;
    if (isStyled && !isVersion30(node)) return coercion;
    return inContentType(reader, { type: 'json' }, encoding);
  }
  if ('items' in coercion && descriptionsOf(node).some((each) => itemsOf(each) !== undefined)) {
    const item: Coercion = 'properties' in coercion.items ? { type: 'json' } : coercion.items;
    return { type: 'array', items: inContentType(reader, item, encoding) };
  }
  return inContentType(reader, coercion, encoding);
}

/** A file or several files; undefined for a part that is neither in any alternative. */
function filesOf(
  reader: Reader,
  node: SchemaNode,
  encoding: Located<EncodingObject>,
): FieldCodec['value'] | undefined {
  const alternatives = descriptionsOf(node).map((each): Located<FieldCodec['value'] | undefined> => {
    if (isFile(each)) return { value: fileOf(reader, each, encoding), at: node.at };
    const [item, ...others] = descriptionsOf(itemsOf(each) ?? node.schemas.made({ not: {} }, node.at));
    const isList = item !== undefined && others.length === 0 && isFile(item);
    return {
      value: isList ? { type: 'array', items: fileOf(reader, item, encoding) } : undefined,
      at: node.at,
    };
  });
  if (alternatives.every(({ value }) => value === undefined)) return undefined;
  return oneValue(
    reader,
    alternatives.map(({ value = { type: 'string' }, at }) => ({ value, at })),
  );
}

/** Applies the content type of a text field: JSON is parsed, text stays text, and anything else is not decoded. */
function inContentType(reader: Reader, coercion: Coercion, { value, at }: Located<EncodingObject>): Coercion {
  if (value.contentType === undefined) return coercion;
  const types = value.contentType.split(',').map((type) => (type.split(';')[0] ?? '').trim().toLowerCase());
  if (types.every(isJson)) return { type: 'json' };
  const isText = !('type' in coercion && coercion.type === 'json');
  if (!isText || !types.every((type) => type.startsWith('text/'))) {
    const message = `${value.contentType} is not decoded`;
    reader.unsupported('undecoded-part', joinPointer(at, 'contentType'), message);
  }
  return coercion;
}

function isVersion30({ schemas }: SchemaNode): boolean {
  return schemas.dialect.version === '3.0';
}

function isFile(description: readonly SchemaNode[]): boolean {
  if (description.some(({ object }) => object.format === 'binary')) return true;
  // 3.1: a part without a type, or with a content media type and no text encoding, is binary.
  const isEncoded = description.some(({ object }) => object.contentEncoding !== undefined);
  const isOld = description.some(isVersion30);
  return !isOld && !isEncoded && (saysBytes(description) || saysNothing(description));
}

/** The keywords that only mark a schema as a file. */
const SAYS_FILE = new Set(
  words('type format contentMediaType title description example examples deprecated $ref allOf oneOf anyOf'),
);

function fileOf(
  reader: Reader,
  description: readonly SchemaNode[],
  { value: { contentType } }: Located<EncodingObject>,
): FileCodec {
  for (const { object, at } of description) {
    for (const keyword of Object.keys(object)) {
      if (SAYS_FILE.has(keyword) || keyword.startsWith('x-')) continue;
      reader.unsupported('file-schema', joinPointer(at, keyword), `${keyword} of a file is not checked`);
    }
  }
  const types = contentType ?? (description.some(isVersion30) ? undefined : contentMediaTypeOf(description));
  if (types === undefined) return { type: 'file' };
  return { type: 'file', contentTypes: types.split(',').map((type) => type.trim().toLowerCase()) };
}

/** The properties of a form that are files, or lists of files: no schema describes the `File` that handlers get. */
export function fileProperties({ fields = {} }: Pick<MediaTypeModel, 'fields'>): readonly string[] {
  return Object.keys(fields)
    .filter((name) => isFileField(fields[name]))
    .sort();
}

export function isFileField(field: Pick<FieldCodec, 'value'> | undefined): boolean {
  return field !== undefined && !isCoercion(field.value);
}

function isCoercion(value: FieldCodec['value']): value is Coercion {
  if ('anyOf' in value) return true;
  return value.type !== 'file' && !('items' in value && 'type' in value.items && value.items.type === 'file');
}

/** The keywords of a form that can be checked part by part, or that restrict nothing. */
const FORM_KEYWORDS = new Set(['$ref', 'type', 'properties', 'required', 'additionalProperties']);

/** The keywords of a field with several parts that can be checked part by part. */
const LIST_KEYWORDS = new Set(['$ref', 'type', 'items']);

const ANNOTATIONS = new Set(['title', 'description', '$comment', 'example', 'examples', 'deprecated']);

/** @param fields - the fields of the form as it is read whole */
export function readParts(
  reader: Reader,
  node: SchemaNode,
  fields: Readonly<Record<string, FieldCodec>>,
): PartsModel {
  noteOthers(reader, node, FORM_KEYWORDS);
  const { required, additionalProperties } = node.target.object;
  const properties = propertiesOf(node);
  return {
    fields: Object.fromEntries(
      Object.entries(fields).flatMap(([name, field]) => {
        const [property] = properties.get(name) ?? [];
        if (property === undefined) return [];
        const part = readPart(reader, field, property.node);
        return [[name, { ...part, ...(required?.includes(name) && { required: true }) }]];
      }),
    ),
    isClosed: additionalProperties === false,
  };
}

function readPart(reader: Reader, { value }: FieldCodec, node: SchemaNode): PartModel {
  if ('anyOf' in value || value.type !== 'array') return { value, node };
  noteOthers(reader, node, LIST_KEYWORDS);
  const items = descriptionsOf(node).flatMap((each) => itemsOf(each) ?? [])[0];
  const untyped = node.schemas.made(true, joinPointer(node.target.at, 'items'));
  return { value: value.items, several: true, node: items ?? untyped };
}

/** Reports the keywords that can only be checked with several parts. */
function noteOthers(reader: Reader, node: SchemaNode, known: ReadonlySet<string>): void {
  for (const { object, at } of new Set([node.target, node])) {
    for (const keyword of Object.keys(object)) {
      if (known.has(keyword) || ANNOTATIONS.has(keyword) || keyword.startsWith('x-')) continue;
      const message = `${keyword} is not checked in a form that is read part by part`;
      reader.unsupported('unchecked-parts', joinPointer(at, keyword), message);
    }
  }
}
