/** Writes an outgoing request: its address, headers and body, each checked before anything is sent. */

import type { BodyCodec, Check, ParameterCodec } from '../contract/contract.js';
import type { OutgoingRequest } from '../contract/outgoing.js';
import { failureOf } from '../failures/check.js';
import { encodeHeaderValue } from '../http/header-value.js';
import { findByMediaType } from '../http/media-type.js';
import { type SentBody, writeBody } from './bodies.js';
import { namedTexts } from './parameter-text.js';

/** A request as its caller gives it; the generated types describe it exactly. */
export interface GivenRequest {
  readonly query?: Values;
  readonly headers?: Values;
  readonly cookies?: Values;
  readonly contentType?: string;
  readonly body?: unknown;
}

type Values = Readonly<Record<string, unknown>>;

/** @throws TypeError when the request does not fit its contract, or the address is not http or https */
export type RequestWriter = (
  url: string,
  request: GivenRequest,
) => { readonly address: URL; readonly init: RequestInit };

/** @param name - how errors name the request */
export function compileRequest(name: string, contract: OutgoingRequest): RequestWriter {
  const { method, parameters = [], checkParameters, requestBody } = contract;
  const at = (location: ParameterCodec['in']) => parameters.filter((codec) => codec.in === location);
  const content = new Map(Object.entries(requestBody?.content ?? {}));
  requireWritable(name, parameters, content);
  return (url, request) => {
    const address = httpAddress(name, url);
    for (const { in: location, name: parameter, required } of parameters) {
      if (required && location !== 'path' && valueOf(request, location, parameter) === undefined)
        throw new TypeError(`${name}: ${PLACES[location]}/${parameter} is required`);
    }
    const { query = {}, headers = {}, cookies = {} } = request;
    requireFit(name, checkParameters, structuredClone({ query, headers, cookies }), '');
    const texts = (codecs: readonly ParameterCodec[], values: Values): readonly string[] =>
      codecs.flatMap((codec) => namedTexts(codec, values[codec.name]));
    const pairs = texts(at('query'), query);
    if (pairs.length > 0)
      address.search = [address.search.slice(1), ...pairs].filter((pair) => pair !== '').join('&');
    const sent = bodyOf(name, content, requestBody?.required === true, request);
    const cookie = texts(at('cookie'), cookies).join('; ');
    const init = {
      method,
      headers: {
        ...headersOf(at('header'), headers),
        ...(cookie !== '' && { Cookie: cookie }),
        ...(sent?.contentType !== undefined && { 'Content-Type': sent.contentType }),
      },
      ...(sent && { body: sent.body }),
    };
    return { address, init };
  };
}

/** @throws for what this client cannot write */
function requireWritable(
  name: string,
  parameters: readonly ParameterCodec[],
  content: ReadonlyMap<string, BodyCodec>,
): void {
  if (parameters.some((codec) => codec.in === 'querystring'))
    throw new Error(`${name}: a parameter in querystring cannot be sent`);
  for (const [mediaType, { kind }] of content) {
    if (kind === 'items' || kind === 'parts')
      throw new Error(`${name}: a body in ${mediaType} that is written piece by piece cannot be sent`);
  }
}

type Location = Exclude<ParameterCodec['in'], 'path'>;

const PLACES = { query: 'query', querystring: 'query', header: 'headers', cookie: 'cookies' } as const;

function valueOf(request: GivenRequest, location: Location, name: string): unknown {
  return request[PLACES[location]]?.[name];
}

function httpAddress(name: string, url: string): URL {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address?.protocol === 'http:' || address?.protocol === 'https:') return address;
  throw new TypeError(`${name}: the address must be an http or https URL`);
}

function headersOf(codecs: readonly ParameterCodec[], values: Values): Readonly<Record<string, string>> {
  return Object.fromEntries(
    codecs.flatMap(({ name, style, explode }) => {
      const value = values[name];
      if (value === undefined) return [];
      return [[name, encodeHeaderValue(style === undefined ? JSON.stringify(value) : value, explode)]];
    }),
  );
}

function bodyOf(
  name: string,
  content: ReadonlyMap<string, BodyCodec>,
  isRequired: boolean,
  { body, contentType }: GivenRequest,
): SentBody | undefined {
  const [first] = content.keys();
  if (first === undefined || body === undefined) {
    if (isRequired) throw new TypeError(`${name}: body is required`);
    return undefined;
  }
  const mediaType = contentType ?? first;
  const codec = findByMediaType(content, mediaType);
  if (codec === undefined) throw new TypeError(`${name}: the contract has no body in ${mediaType}`);
  const sent = writeBody(codec, mediaType, body);
  if ('check' in codec) requireFit(name, codec.check, sent.value, 'body');
  return sent;
}

/** @param value - a copy, because a check inserts defaults, which are the receiver's to insert */
function requireFit(name: string, check: Check | undefined, value: unknown, subject: string): void {
  if (check !== undefined && !check(value))
    throw new TypeError(`${name}: ${failureOf(check, value, subject)}`);
}
