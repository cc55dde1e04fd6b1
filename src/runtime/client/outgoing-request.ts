/** Writes an outgoing request: its address, headers and body, each checked before the request is sent. */

import {
  type BodyCodec,
  type Check,
  type Convert,
  type FieldCodecs,
  type ParameterLocation,
  PLACES,
} from '../contract/contract.js';
import type { OutgoingBody, OutgoingRequest } from '../contract/outgoing.js';
import { copied } from '../failures/json-value.js';
import { failureOf } from '../failures/sentences.js';
import { findByMediaType } from '../http/media-type.js';
import { Problem } from '../http/problem.js';
import { writeFields, writeParameters, type WrittenParameters } from './write-parameters.js';
import { writeExactJson } from '../http/response-writers.js';

type SentCodec = OutgoingBody['content'][string];

/** A request as its caller gives it; the generated types describe it exactly. */
export interface GivenRequest {
  readonly path?: Values;
  readonly query?: Values;
  readonly headers?: Values;
  readonly cookies?: Values;
  readonly contentType?: string;
  readonly body?: unknown;
}

type Values = Readonly<Record<string, unknown>>;

/** A request in its written form. */
export interface WrittenRequest extends WrittenParameters {
  readonly body?: SentBody;
}

/** The parts of a contract that decide how a request is written: of an outgoing request, or of an operation, which has a path. */
type WrittenContract = Omit<OutgoingRequest, 'answers'> & { readonly path?: string };

/** @throws TypeError when the request does not fit its contract, or the address is not http or https */
export type RequestWriter = (
  url: string,
  request: GivenRequest,
) => { readonly address: URL; readonly init: RequestInit };

/** @param name - how errors name the request */
export function compileRequest(name: string, contract: OutgoingRequest): RequestWriter {
  requireWritable(name, contract.requestBody?.content ?? {});
  const write = compileWriter(name, contract, true);
  return (url, given) => {
    const address = httpAddress(name, url);
    const { query, headers, body } = write(given);
    if (query !== '')
      address.search = [address.search.slice(1), query].filter((part) => part !== '').join('&');
    const type = body?.contentType;
    const init = {
      method: contract.method,
      headers: { ...headers, ...(type !== undefined && { 'Content-Type': type }) },
      ...(body && { body: body.body }),
    };
    return { address, init };
  };
}

/**
 * @param name - how errors name the request
 * @param isChecked - whether a request that does not fit its contract is refused; the writer of a test sends it
 */
export function compileWriter(
  name: string,
  { path = '', parameters = [], checkParameters, encodeParameters, requestBody }: WrittenContract,
  isChecked: boolean,
): (given: GivenRequest) => WrittenRequest {
  const content = new Map(Object.entries(requestBody?.content ?? {}));
  return (given) => {
    const request = withWireParameters(given, encodeParameters);
    if (isChecked) {
      for (const parameter of parameters) {
        if (parameter.required && parameter.in !== 'path' && valueOf(request, parameter) === undefined)
          throw new TypeError(`${name}: ${PLACES[parameter.in]}/${parameter.name} is required`);
      }
      const { query = {}, headers = {}, cookies = {} } = request;
      requireFit(name, checkParameters, structuredClone({ query, headers, cookies }), '');
      if (requestBody?.required === true && request.body === undefined)
        throw new TypeError(`${name}: body is required`);
    }
    const written = writable(name, () =>
      writeParameters(path, parameters, (each) => valueOf(request, each) ?? undefined),
    );
    const body = bodyOf(name, content, isChecked, request);
    return { ...written, ...(body && { body }) };
  };
}

/** @throws for a body that this client cannot write */
function requireWritable(name: string, content: Readonly<Record<string, BodyCodec>>): void {
  for (const [mediaType, { kind }] of Object.entries(content)) {
    if (kind === 'items' || kind === 'parts')
      throw new Error(`${name}: a body in ${mediaType} that is written piece by piece cannot be sent`);
  }
}

export function valueOf(
  request: GivenRequest,
  { in: location, name }: { readonly in: ParameterLocation; readonly name: string },
): unknown {
  const values = request[PLACES[location]] ?? {};
  // A parameter may be named `toString`, which every object inherits.
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

function httpAddress(name: string, url: string): URL {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address?.protocol === 'http:' || address?.protocol === 'https:') return address;
  throw new TypeError(`${name}: the address must be an http or https URL`);
}

/** The request with its parameters in their JSON form. @throws TypeError for a value that cannot be converted */
function withWireParameters(request: GivenRequest, encode: Convert | undefined): GivenRequest {
  if (encode === undefined) return request;
  const { path = {}, query = {}, headers = {}, cookies = {} } = request;
  return { ...request, ...(encode({ path, query, headers, cookies }) as object) };
}

/** @throws TypeError instead of a `Problem` */
function writable<Written>(name: string, write: () => Written): Written {
  try {
    return write();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new TypeError(`${name}: ${error.message}`, { cause: error });
  }
}

function bodyOf(
  name: string,
  content: ReadonlyMap<string, SentCodec>,
  isChecked: boolean,
  { body, contentType }: GivenRequest,
): SentBody | undefined {
  const [first] = content.keys();
  if (first === undefined || body === undefined) return undefined;
  const mediaType = contentType ?? first;
  const codec = findByMediaType(content, mediaType);
  if (codec === undefined) throw new TypeError(`${name}: the contract has no body in ${mediaType}`);
  const value = codec.encode === undefined ? body : codec.encode(body);
  const sent = writable(name, () => writeBody(codec, mediaType, value));
  if (isChecked && 'check' in codec) requireFit(name, codec.check, sent.value, 'body');
  return sent;
}

/** @param value - a copy, because a check inserts defaults, and only the receiver should insert them */
function requireFit(name: string, check: Check | undefined, value: unknown, subject: string): void {
  if (check !== undefined && !check(value))
    throw new TypeError(`${name}: ${failureOf(check, value, subject)}`);
}

export interface SentBody {
  /** TypeScript before 5.7 does not know the type argument of `Uint8Array`, which Fetch needs later. */
  readonly body: NonNullable<RequestInit['body']>;
  /** Absent for a multipart body: Fetch chooses the boundary and writes the header. */
  readonly contentType?: string;
  /** A copy of the value as the receiver will decode it; the check runs on it. */
  readonly value: unknown;
}

/** @throws TypeError, or a 400 `Problem`, for a value that the media type cannot carry */
function writeBody(codec: BodyCodec, contentType: string, value: unknown): SentBody {
  switch (codec.kind) {
    case 'json': {
      const body = writeExactJson(value);
      return { body, contentType, value: JSON.parse(body) };
    }
    case 'text':
      return { body: String(value), contentType, value: String(value) };
    case 'form':
      return {
        body: writeFields(codec.fields, fieldsOf(value)),
        contentType,
        value: copied(fieldsOf(value)),
      };
    case 'multipart':
      return { body: formData(codec.fields, fieldsOf(value)), value: copied(fieldsOf(value)) };
    case 'bytes':
    case 'byte-stream':
      if (!(value instanceof Uint8Array)) throw new TypeError('the body must be bytes');
      return { body: value as Uint8Array<ArrayBuffer>, contentType, value };
    default:
      throw new TypeError(`a body in ${contentType} that is written piece by piece cannot be sent`);
  }
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw new TypeError('a form must be an object');
}

function formData(codecs: FieldCodecs, fields: Fields): FormData {
  const form = new FormData();
  for (const [name, given] of Object.entries(fields)) {
    if (isOfFiles(given)) for (const file of [given].flat()) form.append(name, file);
    else {
      const texts = new URLSearchParams(writeFields(codecs, { [name]: given }));
      for (const [field, text] of texts) form.append(field, text);
    }
  }
  return form;
}

function isOfFiles(given: unknown): boolean {
  return [given].flat().some((item) => item instanceof Blob);
}
