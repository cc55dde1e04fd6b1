/** Writes the request of an operation, a webhook or a callback: its address, headers and body. */

import { type SentBody, requireCodecs } from '../contract/body-codecs.js';
import { type Convert, type ParameterLocation, PLACES } from '../contract/contract.js';
import type { OutgoingBody, OutgoingRequest } from '../contract/outgoing.js';
import { findByMediaType } from '../http/media-type.js';
import { isStreamed } from '../http/message.js';
import { Problem } from '../http/problem.js';
import { wholeWithin } from '../http/read-body.js';
import { streamOf, writeBytes, writeExactJson } from '../http/response-writers.js';
import { writeParameters, type WrittenParameters } from '../rest/encode/write-parameters.js';

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
  readonly body?: SentBody['body'];
}

/** The parts of a contract that decide how a request is written: of an outgoing request, or of an operation, which has a path. */
type WrittenContract = Omit<OutgoingRequest, 'answers'> & { readonly path?: string };

type SentCodec = OutgoingBody['content'][string];

/** Checks a request in its JSON form, before it is sent. */
export interface RequestCheck {
  /** @throws TypeError for parameters that do not fit */
  parameters(request: GivenRequest): void;
  /** @throws TypeError for a body that does not fit */
  body(codec: SentCodec, sent: SentBody): void;
}

/**
 * @param name - how errors name the request
 * @param codecs - the `bodyCodecs` of the contract
 * @param check - without it, a request that does not fit its contract is sent all the same, to get the receiver's answer
 */
export function compileWriter(
  name: string,
  { path = '', parameters = [], encodeParameters, requestBody }: WrittenContract,
  codecs: object | undefined,
  check?: RequestCheck,
): (given: GivenRequest) => WrittenRequest {
  const content = new Map(Object.entries(requestBody?.content ?? {}));
  return (given) => {
    const request = withWireParameters(given, encodeParameters);
    check?.parameters(request);
    const { body, contentType = [...content.keys()][0] ?? '' } = request;
    const codec = findByMediaType(content, contentType);
    if (codec === undefined && body !== undefined && content.size > 0)
      throw new TypeError(`${name}: the contract has no body in ${contentType}`);
    try {
      const written = writeParameters(path, parameters, (each) => valueOf(request, each) ?? undefined);
      if (codec === undefined || body === undefined) return written;
      const sent = writeBody(codec, contentType, body, codecs, check !== undefined);
      check?.body(codec, sent);
      const type = sent.contentType;
      const headers = { ...written.headers, ...(type !== undefined && { 'content-type': type }) };
      return { ...written, headers, body: sent.body };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      throw new TypeError(`${name}: ${error.message}`, { cause: error });
    }
  };
}

export function valueOf(
  request: GivenRequest,
  { in: location, name }: { readonly in: ParameterLocation; readonly name: string },
): unknown {
  const values = request[PLACES[location]] ?? {};
  // A parameter may be named `toString`, which every object inherits.
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** The request with its parameters in their JSON form. @throws TypeError for a value that cannot be converted */
function withWireParameters(request: GivenRequest, encode: Convert | undefined): GivenRequest {
  if (encode === undefined) return request;
  const { path = {}, query = {}, headers = {}, cookies = {} } = request;
  return { ...request, ...(encode({ path, query, headers, cookies }) as object) };
}

/**
 * @param codecs - the `bodyCodecs` of the contract, for forms and items
 * @param isChecked - whether an item that does not fit breaks off the stream
 * @throws TypeError, or a 400 `Problem`, for a value that the media type cannot carry
 */
function writeBody(
  codec: SentCodec,
  contentType: string,
  given: unknown,
  codecs: object | undefined,
  isChecked: boolean,
): SentBody {
  if (codec.kind === 'items') {
    const check = isChecked ? codec.check : undefined;
    const body = requireCodecs(codecs).writeItems(given, codec.items, check, codec.encode, undefined);
    const { boundary } = body;
    return {
      body,
      contentType: boundary === undefined ? contentType : `${contentType}; boundary=${boundary}`,
    };
  }
  const value = codec.encode === undefined ? given : codec.encode(given);
  switch (codec.kind) {
    case 'json':
      return { body: writeExactJson(value), contentType, value };
    case 'text':
      return { body: String(value), contentType, value: String(value) };
    case 'bytes':
      if (!(value instanceof Uint8Array)) throw new TypeError('the body must be bytes');
      return { body: value as Uint8Array<ArrayBuffer>, contentType };
    case 'byte-stream':
      return { body: writeBytes(value) as AsyncIterable<Uint8Array>, contentType };
    default:
      return requireCodecs(codecs).writeForm(codec, contentType, value);
  }
}

/** The body for `fetch`, with the option that a stream needs. A runtime that cannot send streams sends it in one piece. */
export async function fetchBody(body: SentBody['body'] | undefined): Promise<RequestInit> {
  if (body === undefined) return {};
  if (!isStreamed(body)) return { body };
  if (!canStream()) return { body: (await wholeWithin(body, Infinity)) as Uint8Array<ArrayBuffer> };
  return { body: streamOf(body), duplex: 'half' };
}

/** Whether requests may be streams: other runtimes do not read `duplex`. */
function canStream(): boolean {
  let isRead = false;
  void new Request('http://localhost', {
    method: 'POST',
    body: new ReadableStream(),
    get duplex() {
      isRead = true;
      return 'half' as const;
    },
  });
  return isRead;
}
