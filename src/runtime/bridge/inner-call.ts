/** Calls an operation of an engine within the process: its security, checks, hooks and handler, with no HTTP in between. */

import { valueOf } from '../client/outgoing-request.js';
import { type BodyCodec, type Convert, type OperationContract, PLACES } from '../contract/contract.js';
import { findByMediaType } from '../http/media-type.js';
import { headerText } from '../http/message.js';
import { Problem } from '../http/problem.js';
import { failuresIn, missing } from '../rest/decode/mismatch.js';
import type { Answer, DecodedRequest } from '../rest/operation/handler.js';
import { type OperationHooks, selectHooks } from '../rest/operation/hooks.js';
import type { RestOperation } from '../rest/operation/operation.js';
import type { RestEngine } from '../rest/rest-engine.js';
import { Exchange, authenticate } from '../rest/steps/exchange.js';
import { convertRequest, keepExact, validate } from '../rest/steps/read.js';
import { handle, settle } from '../rest/steps/respond.js';
import { eachItem } from './each-item.js';

/** A call of an operation on behalf of that of another version. */
export interface InnerCall {
  readonly exchange: Exchange<unknown>;
  readonly after: OperationHooks['after'];
  /** @throws what the handler throws, or a `Problem` for a request that the operation refuses */
  readonly answer: (request: DecodedRequest) => Promise<Answer>;
}

/**
 * Compiles the calls of an operation. Its request is checked, because its schemas may be narrower, and a conversion may be wrong.
 *
 * @param sharesCaller - whether the caller of the outer call is that of the inner one; otherwise, the operation identifies it from the
 *   same HTTP request
 */
export function compileInnerCall(
  engine: RestEngine<unknown, never>,
  operation: RestOperation<unknown>,
  contract: OperationContract,
  sharesCaller: boolean,
): (outer: Exchange<unknown>) => InnerCall {
  const { hooks = [], anonymous } = engine.options;
  const { before, after } = selectHooks(hooks, engine.operations)(operation);
  const { produces } = operation.responses;

  async function answer(exchange: Exchange<unknown>, request: DecodedRequest): Promise<Answer> {
    if (!sharesCaller) await authenticate(exchange);
    receive(exchange, contract, request);
    if (operation.isExact) keepExact(exchange);
    validate(exchange);
    if (operation.converts) convertRequest(exchange);
    exchange.isAccepted = true;
    for (const hook of before) {
      exchange.answer = await hook(exchange.decoded, exchange);
      if (exchange.answer !== undefined) return settle(exchange).given;
    }
    exchange.answer = await handle(exchange);
    return settle(exchange).given;
  }

  return (outer) => {
    const exchange = new Exchange(outer.request, operation, [], sharesCaller ? outer.caller : anonymous);
    const { mediaType = '', request } = outer;
    exchange.mediaType = produces.includes(mediaType)
      ? mediaType
      : (operation.negotiate?.(headerText(request.headers['accept'])) ?? produces[0]);
    return { exchange, after, answer: (given) => answer(exchange, given) };
  };
}

/** Sets the decoded request, in its JSON form, with the parameters that the contract has, and their defaults. */
function receive(
  exchange: Exchange<unknown>,
  { parameters = [], encodeParameters, requestBody }: OperationContract,
  given: DecodedRequest,
): void {
  // A conversion leaves out places without values.
  const { path = {}, query = {}, headers = {}, cookies = {} } = given as Partial<DecodedRequest>;
  const all = { path, query, headers, cookies };
  const wire = (encodeParameters?.(all) ?? all) as typeof all;
  const decoded: Record<keyof typeof all, Record<string, unknown>> = {
    path: {},
    query: {},
    headers: {},
    cookies: {},
  };
  for (const parameter of parameters) {
    const { name, required, default: initial } = parameter;
    const place = PLACES[parameter.in];
    const own = valueOf(wire, parameter);
    const value = own === undefined ? initial : own;
    if (value !== undefined) decoded[place][name] = value;
    // The check of parameters leaves it to the decoding.
    else if (required) exchange.failures = [...exchange.failures, missing.at(`/${place}/${name}`)];
  }
  exchange.decoded = decoded;
  if (requestBody === undefined) return;
  if (given.body === undefined) {
    if (requestBody.required === true) exchange.failures = [...exchange.failures, missing.at('/body')];
    return;
  }
  const [first = '', ...others] = Object.keys(requestBody.content);
  // The types of bodies name no media type where there is only one, so the one of version 1 may be given.
  const contentType = others.length === 0 && !first.includes('*') ? first : String(given.contentType);
  const codec = findByMediaType(new Map(Object.entries(requestBody.content)), contentType);
  if (codec === undefined) throw new Problem(415, `The body must be ${[first, ...others].join(', ')}`);
  const compiled = exchange.operation.requestBody?.content;
  const whole = compiled && findByMediaType(compiled, contentType);
  if (whole?.open === undefined) exchange.bodyCodec = whole;
  exchange.decoded = { ...decoded, contentType, body: wireBody(codec, given.body) };
}

/** The body in its JSON form. Each item of a stream is checked when it is read. */
function wireBody(codec: BodyCodec & { readonly encode?: Convert }, body: unknown): unknown {
  const { encode = (value) => value } = codec;
  if (codec.kind !== 'items') return encode(body);
  const { check, decode = (value) => value } = codec;
  return eachItem(body as AsyncIterable<unknown>, (item) => {
    const wire = encode(item);
    const [failure] = failuresIn(check, wire, '/body');
    if (failure !== undefined) throw new Problem(400, failure.detail, {}, [failure]);
    return decode(wire);
  });
}
