/** Writes requests as they are sent: parameters by their styles, bodies by their media types, and credentials. */

import type { Json } from 'concordat';
import type { ContractModel, MediaTypeModel, OperationModel, ParameterModel } from '../read/model.js';
import type { SecurityRequirementObject } from '../load/openapi.js';
import type { WireRequest } from './message.js';

/** What a request carries, before it is written. */
export interface RequestParts {
  /** As the sender's version describes it. */
  readonly operation: OperationModel;
  readonly parameters: readonly GivenParameter[];
  /** The schemes that the sender has credentials for, with the scopes that they grant. */
  readonly credentials: SecurityRequirementObject;
  readonly body?: { readonly media: MediaTypeModel; readonly value: Json };
  /** The only media type that the sender reads; absent: any. */
  readonly accept?: string;
}

export interface GivenParameter {
  readonly parameter: ParameterModel;
  readonly value: Json;
}

interface Draft {
  path: string;
  readonly query: string[];
  readonly headers: Record<string, string>;
  readonly cookies: string[];
}

/** Writes the credential of a scheme that grants some scopes. */
export type CredentialText = (scheme: string, scopes: readonly string[]) => string;

/**
 * Writes a request.
 *
 * @param schemes - those of the sender's version
 * @param credential - unless given, a credential that only engines in memory take
 */
export function wireRequest(
  { operation, parameters, credentials, body, accept }: RequestParts,
  schemes: ContractModel['securitySchemes'],
  credential: CredentialText = scopedCredential,
): WireRequest {
  const draft: Draft = { path: operation.path, query: [], headers: {}, cookies: [] };
  for (const given of parameters) addParameter(draft, given);
  for (const [name, scopes] of Object.entries(credentials))
    addCredential(draft, schemes[name], credential(name, scopes));
  if (draft.cookies.length > 0) draft.headers['cookie'] = draft.cookies.join('; ');
  if (accept !== undefined) draft.headers['accept'] = accept;
  if (body !== undefined) draft.headers['content-type'] = contentTypeOf(body.media);
  const { path, query, headers } = draft;
  return {
    method: operation.method,
    path,
    query: query.join('&'),
    headers,
    ...(body && { body: bodyText(body.media, body.value) }),
  };
}

function addParameter(draft: Draft, { parameter, value }: GivenParameter): void {
  const { name } = parameter;
  switch (parameter.in) {
    case 'path':
      draft.path = draft.path.replace(`{${name}}`, pathText(parameter, value));
      break;
    case 'query':
      draft.query.push(...queryPairs(parameter, value));
      break;
    case 'header':
      draft.headers[name.toLowerCase()] = flatText(parameter, value, String);
      break;
    case 'cookie':
      draft.cookies.push(`${name}=${flatText(parameter, value, encodeURIComponent)}`);
  }
}

/** OpenAPI, "Style Examples": the styles of a path. */
function pathText(parameter: ParameterModel, value: Json): string {
  const text = flatText(parameter, value, encodeURIComponent);
  if (parameter.style === 'label') return `.${text}`;
  return parameter.style === 'matrix' ? `;${parameter.name}=${text}` : text;
}

/** A value in one text: lists and objects with commas. */
function flatText(parameter: ParameterModel, value: Json, encode: (text: string) => string): string {
  if (parameter.style === undefined) return encode(JSON.stringify(value));
  if (Array.isArray(value)) return value.map((item) => encode(scalarText(item as Json))).join(',');
  if (typeof value !== 'object' || value === null) return encode(scalarText(value));
  const separator = parameter.explode === true ? '=' : ',';
  return Object.entries(value)
    .map(([name, member]) => `${name}${separator}${encode(scalarText(member))}`)
    .join(',');
}

const SEPARATORS: Readonly<Record<string, string>> = { spaceDelimited: '%20', pipeDelimited: '%7C' };

function queryPairs(parameter: ParameterModel, value: Json): readonly string[] {
  const { name, style, explode = true } = parameter;
  const pair = (key: string, text: string): string =>
    `${encodeURIComponent(key)}=${encodeURIComponent(text)}`;
  if (style === undefined) return [pair(name, JSON.stringify(value))];
  if (typeof value !== 'object' || value === null) return [pair(name, scalarText(value))];
  if (Array.isArray(value)) {
    const items = value.map((item) => scalarText(item as Json));
    if (explode) return items.map((item) => pair(name, item));
    return [`${encodeURIComponent(name)}=${items.map(encodeURIComponent).join(SEPARATORS[style] ?? ',')}`];
  }
  const entries = Object.entries(value).map(([key, member]) => [key, scalarText(member)] as const);
  if (style === 'deepObject') return entries.map(([key, text]) => pair(`${name}[${key}]`, text));
  if (explode) return entries.map(([key, text]) => pair(key, text));
  return [pair(name, entries.flat().join(','))];
}

function scalarText(value: Json): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The scopes travel inside the credential, so that the other end knows them. */
function scopedCredential(_: string, scopes: readonly string[]): string {
  return ['credential', ...scopes].join('~');
}

function addCredential(draft: Draft, scheme: Json | undefined, credential: string): void {
  const { type, in: location, name = '', scheme: http } = scheme as Readonly<Record<string, string>>;
  if (type === 'mutualTLS') return;
  if (type !== 'apiKey') draft.headers['authorization'] = `${spelled(http ?? 'bearer')} ${credential}`;
  else if (location === 'query')
    draft.query.push(`${encodeURIComponent(name)}=${encodeURIComponent(credential)}`);
  else if (location === 'cookie') draft.cookies.push(`${name}=${credential}`);
  else draft.headers[name.toLowerCase()] = credential;
}

/** The name of a scheme as its specification writes it: some servers tell `bearer` from `Bearer`, which RFC 9110 §11.1 forbids. */
function spelled(scheme: string): string {
  return /^(?:basic|bearer|digest)$/i.test(scheme)
    ? `${scheme.charAt(0).toUpperCase()}${scheme.slice(1).toLowerCase()}`
    : scheme;
}

/** The scopes that a credential grants. */
export function scopesOf(credential: string): readonly string[] {
  return credential.split('~').slice(1);
}

const BOUNDARY = 'concordat';

function contentTypeOf({ mediaType, kind }: MediaTypeModel): string {
  if (kind === 'multipart') return `${mediaType}; boundary=${BOUNDARY}`;
  // A range is not a media type: something within it is sent.
  return mediaType.replace(/^\*\/\*$/, 'application/octet-stream').replace(/\/\*$/, '/x-any');
}

function bodyText(media: MediaTypeModel, value: Json): string {
  if (media.kind === 'json') return JSON.stringify(value);
  if (media.kind === 'form')
    return fieldsOf(media, value)
      .map(([name, text]) => `${encodeURIComponent(name)}=${encodeURIComponent(text)}`)
      .join('&');
  if (media.kind !== 'multipart') return typeof value === 'string' ? value : JSON.stringify(value);
  const parts = fieldsOf(media, value).map(([name, text]) => {
    const field = media.fields?.[name]?.value;
    const codec = field !== undefined && 'items' in field ? field.items : field;
    const isFile = codec !== undefined && 'type' in codec && codec.type === 'file';
    const type = isFile ? (codec.contentTypes?.[0] ?? 'application/octet-stream').replace(/\*$/, 'png') : '';
    const lines = [
      `Content-Disposition: form-data; name="${name}"${isFile ? '; filename="file"' : ''}`,
      ...(isFile ? [`Content-Type: ${type}`] : []),
    ];
    return `--${BOUNDARY}\r\n${lines.join('\r\n')}\r\n\r\n${text}\r\n`;
  });
  return `${parts.join('')}--${BOUNDARY}--\r\n`;
}

/** The fields of a form: a list is sent item by item. */
function fieldsOf(media: MediaTypeModel, value: Json): readonly (readonly [name: string, text: string])[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const items = (Array.isArray(member) ? member : [member]) as readonly Json[];
    const isJoined = media.fields?.[name]?.explode === false && Array.isArray(member);
    if (isJoined) return [[name, items.map(scalarText).join(',')] as const];
    return items.map((item) => [name, scalarText(item)] as const);
  });
}
