/** Writes the request of an operation, a webhook or a callback: its address, headers and body. */

import { type Convert, type ParameterLocation, PLACES } from '../contract/contract.js';
import type { OutgoingRequest } from '../contract/outgoing.js';
import { findByMediaType } from '../http/media-type.js';
import { Problem } from '../http/problem.js';
import { writeParameters, type WrittenParameters } from '../rest/encode/write-parameters.js';
import { type SentBody, type SentCodec, writeBody } from './write-body.js';

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
