/** Writes bodies as they are sent: forms, multipart forms, and sequential media types with one item. */

import type { FieldCodec, FieldCodecs, FileCodec, Json, PartCodec, Sequence } from '@concordat/runtime';
import { writeExactJson, writeFields } from '@concordat/runtime/client';
import type { MediaTypeModel } from 'concordat/contract';
import { mediaTypeWithin } from './within-ranges.js';

/** Constant, so that a request can be repeated exactly. */
const BOUNDARY = 'concordat';

/** The Content-Type of a body; for a range, a media type within it. */
export function contentTypeOf({ mediaType, kind, items }: MediaTypeModel): string {
  const isMultipart = kind === 'multipart' || items?.format === 'multipart';
  return isMultipart ? `${mediaType}; boundary=${BOUNDARY}` : mediaTypeWithin(mediaType);
}

/** @returns undefined if the media type cannot carry the value */
export function bodyText({ kind, items, fields = {} }: MediaTypeModel, value: Json): string | undefined {
  if (kind === 'items' && items !== undefined) return itemText(items, value);
  const given = isObject(value) ? value : {};
  if (kind === 'form') return writeFields(fields, given);
  if (kind === 'multipart') return multipartText(fields, given);
  return kind === 'json' || typeof value !== 'string' ? writeExactJson(value) : value;
}

function isObject(value: Json): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function multipartText(fields: FieldCodecs, given: Readonly<Record<string, Json>>): string {
  const parts = Object.entries(given).flatMap(([name, value]) => {
    const file = fileOf(fields[name]);
    if (file === undefined)
      return [...new URLSearchParams(writeFields(fields, { [name]: value }))].map(
        ([field, text]) => `name="${field}"\r\n\r\n${text}`,
      );
    const type = mediaTypeWithin(file.contentTypes?.[0] ?? '*/*');
    return [value].flat().map((item: unknown) => {
      const text = typeof item === 'string' ? item : writeExactJson(item);
      return `name="${name}"; filename="file"\r\nContent-Type: ${type}\r\n\r\n${text}`;
    });
  });
  return withBoundary(parts.map((part) => `Content-Disposition: form-data; ${part}`));
}

/** @param parts - the headers and the content of each part */
function withBoundary(parts: readonly string[]): string {
  return `${parts.map((part) => `--${BOUNDARY}\r\n${part}\r\n`).join('')}--${BOUNDARY}--\r\n`;
}

function fileOf(field: FieldCodec | undefined): FileCodec | undefined {
  const codec = field !== undefined && 'items' in field.value ? field.value.items : field?.value;
  return codec !== undefined && 'type' in codec && codec.type === 'file' ? codec : undefined;
}

function itemText(sequence: Sequence, item: Json): string | undefined {
  switch (sequence.format) {
    case 'json-lines':
      return `${writeExactJson(item)}\n`;
    case 'json-seq':
      return `\u001e${writeExactJson(item)}\n`;
    case 'events':
      return isObject(item) ? eventText(item, sequence.data) : undefined;
    case 'multipart':
      return withBoundary([partText(sequence.first?.[0] ?? sequence.part, item)]);
  }
}

/** The text of an event. @param data - whether its data is JSON: always, in some events, or never (undefined) */
function eventText(
  event: Readonly<Record<string, Json>>,
  data: 'json' | 'mixed' | undefined,
): string | undefined {
  const lines = Object.entries(event).flatMap(([name, value]): readonly (string | undefined)[] => {
    if (name === 'data') {
      const isJson = data === 'json' || (data === 'mixed' && typeof value !== 'string');
      const text = isJson ? writeExactJson(value) : value;
      return typeof text === 'string' ? text.split(/\r\n|\n|\r/).map((line) => `data: ${line}`) : [undefined];
    }
    const text = ['number', 'bigint'].includes(typeof value) ? writeExactJson(value) : value;
    return [typeof text === 'string' && !/[\r\n]/.test(text) ? `${name}: ${text}` : undefined];
  });
  return lines.includes(undefined) ? undefined : `${lines.join('\n')}\n\n`;
}

function partText({ kind, contentTypes: [type] }: PartCodec, item: Json): string {
  const isText = kind !== 'json' && typeof item === 'string';
  return `Content-Type: ${mediaTypeWithin(type)}\r\n\r\n${isText ? item : writeExactJson(item)}`;
}
