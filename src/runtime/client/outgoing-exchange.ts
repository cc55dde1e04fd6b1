/** One webhook or callback: its request is checked before it is sent, and its answer is decoded as a handler's request is. */

import { PLACES, type Check } from '../contract/contract.js';
import type { OutgoingAnswer, OutgoingRequest } from '../contract/outgoing.js';
import { copied } from '../failures/json-value.js';
import { failureOf } from '../failures/sentences.js';
import { compileParameters } from '../rest/decode/parameters.js';
import { converted, failuresIn } from '../rest/decode/mismatch.js';
import { bodyCodecs } from '../rest/operation/forms-and-streams.js';
import { compileBody } from '../rest/operation/request-body.js';
import { unfit } from '../rest/responses/response-problem.js';
import { type DeclaredAnswer, compileAnswers } from './answers.js';
import { type RequestCheck, compileWriter, fetchBody, valueOf } from './outgoing-request.js';

/** Sends a request, like the global `fetch`. */
export type Fetch = (url: URL, init: RequestInit) => Promise<Response>;

/** Per-request options. */
export interface SendOptions {
  /** Aborts the request, also while its answer arrives. Pass one with a time limit, such as `AbortSignal.timeout(5000)`. */
  readonly signal?: AbortSignal;
}

/** @param addressOf - makes the address, of a callback from its expression */
export type SendExchange = (
  addressOf: (expression: string) => string,
  request: SendOptions,
) => Promise<object>;

/** @param name - how errors name the request */
export function compileExchange(
  name: string,
  contract: OutgoingRequest,
  fetch: Fetch,
  limit: number,
): SendExchange {
  const write = compileWriter(name, contract, bodyCodecs, requestCheck(name, contract));
  const answers = Object.entries(contract.answers).map(
    ([status, answer]) => [status, declaredAnswer(answer)] as const,
  );
  const settle = (problem: Error): never => {
    throw problem;
  };
  const read = compileAnswers(name, new Map(answers), { limit, settle });
  const { method, url = '' } = contract;
  return async (addressOf, { signal, ...request }) => {
    const address = httpAddress(name, addressOf(url));
    const { query, headers, body } = write(request);
    if (query !== '')
      address.search = [address.search.slice(1), query].filter((part) => part !== '').join('&');
    const init: RequestInit = { method, headers, redirect: 'manual', ...(await fetchBody(body)) };
    return read(await fetch(address, signal === undefined ? init : { ...init, signal }));
  };
}

function httpAddress(name: string, url: string): URL {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address?.protocol === 'http:' || address?.protocol === 'https:') return address;
  throw new TypeError(`${name}: the address must be an http or https URL`);
}

function requestCheck(name: string, contract: OutgoingRequest): RequestCheck {
  const { parameters = [], checkParameters, requestBody } = contract;
  /** @param value - a copy, because a check inserts defaults, and only the receiver should insert them */
  const requireFit = (check: Check | undefined, value: unknown, subject: string): void => {
    if (check !== undefined && !check(value))
      throw new TypeError(`${name}: ${failureOf(check, value, subject)}`);
  };
  return {
    parameters: (request) => {
      for (const parameter of parameters) {
        if (parameter.required && parameter.in !== 'path' && valueOf(request, parameter) === undefined)
          throw new TypeError(`${name}: ${PLACES[parameter.in]}/${parameter.name} is required`);
      }
      const { query = {}, headers = {}, cookies = {} } = request;
      requireFit(checkParameters, copied({ query, headers, cookies }), '');
      if (requestBody?.required === true && request.body === undefined)
        throw new TypeError(`${name}: body is required`);
    },
    body: (codec, { body, value }) => {
      if (!('check' in codec) || codec.kind === 'items') return;
      // JSON is checked as the receiver reads it: a date is text.
      const isJson = codec.kind === 'json' && typeof body === 'string';
      requireFit(codec.check, isJson ? JSON.parse(body) : copied(value), 'body');
    },
  };
}

function declaredAnswer({
  content,
  headers = [],
  checkHeaders,
  decodeHeaders,
  exact,
}: OutgoingAnswer): DeclaredAnswer {
  const isExact = exact === true;
  const decode = compileParameters(headers);
  const bodies = Object.entries(content ?? {}).map(([mediaType, codec]) => {
    const body = compileBody(codec, bodyCodecs, isExact);
    return [mediaType, { ...body, exact: isExact }] as const;
  });
  return {
    content: content && new Map(bodies),
    readHeaders: (given, settle) => {
      const texts = Object.fromEntries(given);
      const read = { headers: decode({ values: [], query: '', headers: texts }).headers };
      const [failure] = failuresIn(checkHeaders, read, '');
      if (failure !== undefined) settle(unfit(failure));
      if (headers.length === 0) return {};
      return decodeHeaders === undefined ? read : (converted(decodeHeaders, read, read, '') as object);
    },
  };
}
