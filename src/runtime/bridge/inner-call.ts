/** Calls an operation of an engine within the process: its security, checks, hooks and handler, with no HTTP in between. */

import { valueOf } from '../client/outgoing-request.js';
import { type BodyCodec, type Convert, type OperationContract, PLACES } from '../contract/contract.js';
import { findByMediaType } from '../http/media-type.js';
import { headerText } from '../http/message.js';
import { Problem } from '../http/problem.js';
import { failuresIn, missing } from '../rest/decode/mismatch.js';
import { setOwn } from '../rest/decode/value.js';
import type { Answer, DecodedRequest } from '../rest/operation/handler.js';
import type { OperationHooks } from '../rest/operation/hooks.js';
import { type Exchange, authenticate } from '../rest/steps/exchange.js';
import { convertRequest, keepExact, validate } from '../rest/steps/read.js';
import { checkAnswer } from '../rest/operation/response-check.js';
import { chooseRepresentation } from '../rest/operation/response.js';
import { convertAnswer, handle } from '../rest/steps/respond.js';

/**
 * Runs a call. The request is checked again, because the schemas of this version may be narrower, and a conversion may be wrong.
 *
 * @param knowsCaller - whether the exchange has its caller; otherwise, it is found in the HTTP request
 * @throws what the handler throws, or a `Problem` for a request that the operation refuses
 */
export async function innerCall(
  exchange: Exchange<unknown>,
  contract: OperationContract,
  before: OperationHooks['before'],
  request: DecodedRequest,
  knowsCaller: boolean,
): Promise<Answer> {
  const { isExact, converts, negotiate, responses } = exchange.operation;
  const [first, ...others] = responses.produces;
  const accept = others.length > 0 ? headerText(exchange.request.headers['accept']) : undefined;
  exchange.mediaType = (accept && negotiate?.(accept)) || first;
  if (!knowsCaller) await authenticate(exchange);
  receive(exchange, contract, request);
  if (isExact) keepExact(exchange);
  validate(exchange);
  if (converts) convertRequest(exchange);
  for (const hook of before) {
    const answer = await hook(exchange.decoded, exchange);
    if (answer !== undefined) return ownPart(answer as Answer, exchange);
  }
  return ownPart((await handle(exchange)) as Answer, exchange);
}

/**
 * The part of an answer that this version sends: its closed schemas omit members that those of the other version may let pass.
 *
 * @throws when responses are checked and the answer does not fit its contract
 */
function ownPart(given: Answer, { operation, mediaType, request, isMock }: Exchange<unknown>): Answer {
  const response = operation.responses.find(given.status);
  if (response === undefined) return given;
  const wire = response.converts && !isMock ? convertAnswer(operation.id, given, response, mediaType) : given;
  if (operation.checker !== undefined)
    checkAnswer(operation.id, wire, response, mediaType, operation.checker);
  if (response.representations.length === 0) return given;
  const { strip, hasItems } = chooseRepresentation(response, given.contentType, mediaType);
  if (strip === undefined) return given;
  const omit = (value: unknown): unknown => strip(value, given.status, request);
  if (hasItems) return { ...given, body: eachItem(given.body as AsyncIterable<unknown>, omit) };
  const left = omit(wire.body);
  if (left === wire.body) return given;
  return { ...given, body: wire === given ? left : omit(given.body) };
}

type Values = Record<string, unknown>;

/** Sets the decoded request, in its JSON form, with the parameters that the contract has, and their defaults. */
function receive(
  exchange: Exchange<unknown>,
  { parameters = [], encodeParameters, requestBody }: OperationContract,
  { body, contentType: given, ...places }: Partial<DecodedRequest>,
): void {
  // A conversion leaves out places without values.
  const all = { path: {}, query: {}, headers: {}, cookies: {}, ...places };
  const wire = (encodeParameters?.(all) ?? all) as typeof all;
  const decoded: { [Place in keyof typeof all]: Values } = { path: {}, query: {}, headers: {}, cookies: {} };
  for (const parameter of parameters) {
    const { name, required, default: initial } = parameter;
    const place = PLACES[parameter.in];
    const own = valueOf(wire, parameter);
    const value = own === undefined ? initial : own;
    if (value !== undefined) setOwn(decoded[place], name, value);
    // The check of parameters leaves it to the decoding.
    else if (required) exchange.failures = [...exchange.failures, missing.at(`/${place}/${name}`)];
  }
  exchange.decoded = decoded;
  if (body === undefined && requestBody?.required === true)
    exchange.failures = [...exchange.failures, missing.at('/body')];
  if (body === undefined || requestBody === undefined) return;
  const content = new Map(Object.entries(requestBody.content));
  // The types of requests do not name a single media type, so the given one may be that of version 1.
  const [contentType = ''] = [given, ...content.keys()].filter(
    (type) => type && findByMediaType(content, type),
  );
  const codec = findByMediaType(content, contentType);
  if (codec === undefined) return;
  if ('check' in codec && codec.kind !== 'items')
    exchange.bodyCodec = { check: codec.check, convert: codec.decode };
  exchange.decoded = { ...decoded, contentType, body: wireBody(codec, body) };
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

/**
 * Converts the items of a body that is a stream, one at a time, as its reader asks for them.
 *
 * @example
 * ```ts
 * response: (answer) => ({ ...answer, body: eachItem(answer.body, ({ text }) => ({ message: text })) })
 * ```
 */
export function eachItem<From, To>(
  items: AsyncIterable<From>,
  convert: (item: From) => To,
): AsyncIterable<To> {
  const source = items[Symbol.asyncIterator]();
  async function* converted(): AsyncGenerator<To, void, void> {
    for await (const item of { [Symbol.asyncIterator]: () => source }) yield convert(item);
  }
  const stop = async (): Promise<IteratorResult<To, void>> => {
    await source.return?.();
    return { done: true, value: undefined };
  };
  // A generator would not end its source if its reader stops before the first item.
  return Object.assign(converted(), { return: stop });
}
