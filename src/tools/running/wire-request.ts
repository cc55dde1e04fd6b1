/** Writes requests as they are sent: parameters by their styles, bodies by their media types, and credentials. */

import {
  type FieldCodec,
  type FieldCodecs,
  type FileCodec,
  type Json,
  type PartCodec,
  Problem,
  type SecurityScheme,
  type Sequence,
} from '@concordat/runtime';
import {
  type Authorized,
  type ParameterNotation,
  encodeHeaderValue,
  withCredential,
  writeExactJson,
  writeFields,
  writeParameters,
} from '@concordat/runtime/client';
import { isObject } from '@concordat/runtime/parts';
import type { ContractModel, MediaTypeModel, OperationModel, ParameterModel } from 'concordat/contract';

export interface WireRequest {
  readonly method: string;
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface SentResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, Json>>;
  /** Absent for a response without a body. */
  readonly contentType?: string;
  readonly body?: Json;
}

/** The place of a part of a contract. */
export interface Place {
  readonly file: string;
  /** From 1. */
  readonly line?: number;
  /** JSON Pointer into the contract as one document, or the schema coordinate of GraphQL (`Query.user`). */
  readonly pointer: string;
}

/** The parts of a request before it is written. */
export interface RequestParts {
  /** As the sender's version describes it. */
  readonly operation: OperationModel;
  readonly parameters: readonly GivenParameter[];
  /** The schemes that the sender has credentials for, with the scopes that they grant. */
  readonly credentials: OperationModel['security'][number];
  readonly body?: { readonly media: MediaTypeModel; readonly value: Json };
  /** The only media type that the sender accepts; absent if it accepts any. */
  readonly accept?: string;
}

export interface GivenParameter {
  readonly parameter: ParameterModel;
  readonly value: Json;
}

/** Writes a credential of a scheme that grants the scopes. */
export type CredentialText = (scheme: string, scopes: readonly string[]) => string;

/**
 * Writes a request.
 *
 * @param schemes - the security schemes of the sender's version
 * @param credential - writes the credentials; by default, ones that only in-memory engines accept
 * @returns undefined if HTTP cannot carry its values
 */
export function wireRequest(
  { operation, parameters, credentials, body, accept }: RequestParts,
  schemes: ContractModel['securitySchemes'],
  credential: CredentialText = scopedCredential,
): WireRequest | undefined {
  const given = parameters.map(({ parameter, value }) => [parameter, withAllDigits(value)] as const);
  const values = new Map<ParameterNotation, Json>(given);
  try {
    const written = writeParameters(operation.path, [...values.keys()], (each) => values.get(each));
    let authorized: Authorized = written;
    for (const [name, scopes] of Object.entries(credentials)) {
      const scheme = schemes[name] as unknown as SecurityScheme;
      authorized = withCredential(authorized, scheme, credential(name, scopes));
    }
    const { query, headers } = authorized;
    const text = body && bodyText(body.media, withAllDigits(body.value));
    if (body !== undefined && text === undefined) return undefined;
    const type = body && { 'content-type': contentTypeOf(body.media) };
    return {
      ...{ method: operation.method, path: written.path, query },
      headers: { ...headers, ...(accept !== undefined && { accept }), ...type },
      ...(text !== undefined && { body: text }),
    };
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

/** A value as JSON, in which every integer has all its digits: the lowest of int64 is written `-9223372036854775808`. */
export const exactJson = (value: unknown): string => writeExactJson(withAllDigits(value as Json));

/** The value with bigints for the integers that would be written rounded, such as 2^63. */
function withAllDigits(value: Json): Json {
  if (typeof value === 'number') {
    const isLong = Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) <= 2 ** 65;
    return isLong ? (BigInt(value) as unknown as Json) : value;
  }
  if (Array.isArray(value)) return value.map((each: Json) => withAllDigits(each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withAllDigits(each)]));
}

/** The credential contains its scopes, so that the receiver can read them. */
const scopedCredential = (_: string, scopes: readonly string[]): string =>
  ['credential', ...scopes.map((each) => encodeURIComponent(each).replaceAll('~', '%7E'))].join('~');

export const scopesOf = (credential: string): readonly string[] =>
  credential.split('~').slice(1).map(decodeURIComponent);

/** Constant, so that a request can be repeated exactly. */
const BOUNDARY = 'concordat';

/** The Content-Type of a body; for a range, a media type within it. */
function contentTypeOf({ mediaType, kind, items }: MediaTypeModel): string {
  const isMultipart = kind === 'multipart' || items?.format === 'multipart';
  return isMultipart ? `${mediaType}; boundary=${BOUNDARY}` : mediaTypeWithin(mediaType);
}

/** @returns undefined if the media type cannot carry the value */
function bodyText({ kind, items, fields = {} }: MediaTypeModel, value: Json): string | undefined {
  if (kind === 'items' && items !== undefined) return itemText(items, value);
  const given = isObject(value) ? value : {};
  if (kind === 'form') return writeFields(fields, given);
  if (kind === 'multipart') return multipartText(fields, given);
  return kind === 'json' || typeof value !== 'string' ? writeExactJson(value) : value;
}

function multipartText(fields: FieldCodecs, given: Readonly<Record<string, Json>>): string {
  const parts = Object.entries(given).flatMap(([name, value]) => {
    const file = fileOf(fields[name]);
    if (file === undefined) {
      const pairs = new URLSearchParams(writeFields(fields, { [name]: value }));
      return [...pairs].map(([field, text]) => `name="${field}"\r\n\r\n${text}`);
    }
    const type = mediaTypeWithin(file.contentTypes?.[0] ?? '*/*');
    return [value].flat().map((item: unknown) => {
      const text = typeof item === 'string' ? item : writeExactJson(item);
      return `name="${name}"; filename="file"\r\nContent-Type: ${type}\r\n\r\n${text}`;
    });
  });
  return withBoundary(parts.map((part) => `Content-Disposition: form-data; ${part}`));
}

/** @param parts - the headers and the content of each part */
const withBoundary = (parts: readonly string[]): string =>
  `${parts.map((part) => `--${BOUNDARY}\r\n${part}\r\n`).join('')}--${BOUNDARY}--\r\n`;

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

/**
 * The first status of a response.
 *
 * @param key - `200`, `4XX` or `default`
 * @param describes - whether the response describes a status, and no other response of the operation does
 * @param preferred - the class of statuses for `default`
 * @returns undefined if other responses describe all its statuses
 */
export function statusWithin(
  key: string,
  describes: (status: number) => boolean,
  preferred: 2 | 5,
): number | undefined {
  if (/^\d+$/.test(key)) return Number(key);
  const classes = key === 'default' ? [preferred, 2, 3, 4, 5] : [Number(key.charAt(0))];
  const within = (each: number): number[] => Array.from({ length: 100 }, (_, index) => each * 100 + index);
  return classes.flatMap(within).find(describes);
}

/** Whether HTTP can carry a value in a header: the schema may want a nested one, or characters that a header cannot have. */
export function isCarried(value: Json): boolean {
  try {
    encodeHeaderValue(value);
    return true;
  } catch {
    return false;
  }
}

/** A media type within a range, or the media type itself. */
export const mediaTypeWithin = (range: string): string => OF_RANGE[range] ?? range.replace('*', 'x-any');

/** Whether a body of this media type can have the value: lists, objects and null are no texts. */
export const isWritable = ({ kind }: MediaTypeModel, value: Json): boolean =>
  kind !== 'text' || typeof value !== 'object';

const OF_RANGE: Readonly<Record<string, string>> = {
  '*/*': 'application/octet-stream',
  'application/*': 'application/octet-stream',
  'image/*': 'image/png',
  'text/*': 'text/plain',
};
