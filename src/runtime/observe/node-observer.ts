/** Observes the exchanges of `node:http`, which Koa, Express, Fastify and Hono's server for Node are built on. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpResponse } from '../http/message.js';
import { carriesBody } from '../rest/steps/read.js';
import { writeParsedBody } from '../transports/node/node-request.js';
import { BodySample, type HeaderValue } from './body-sample.js';
import type { OpenExchange, Watched } from './exchange-check.js';
import type { Observation } from './observation.js';
import type { Sent } from './observed-operation.js';

/**
 * Begins to observe an exchange.
 *
 * @param parsed - the result of a body parser in front
 * @returns a promise of the request's rejection, undefined if it fits; undefined if the request is not enforced
 */
export function observeNode(
  observation: Observation,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  parsed: unknown,
): Promise<HttpResponse | undefined> | undefined {
  const watched = observation.begin(incoming.method ?? 'GET', incoming.url ?? '', incoming.headers);
  if (watched === undefined) return undefined;
  if (watched.operation?.mode !== 'enforce') {
    followNode(
      observation,
      watched,
      incoming,
      outgoing,
      requestSample(observation, watched, incoming, parsed),
    );
    return undefined;
  }
  const body = bodyBefore(incoming, parsed);
  // Nothing releases the sample of an exchange that is not followed.
  const isSampled = watched.isSampled && body === 'unread';
  const request = isSampled ? requestSample(observation, watched, incoming, parsed) : 'checked';
  followNode(observation, watched, incoming, outgoing, request);
  return observation.rejection(watched, body);
}

/** Copies an exchange as the server writes it, after any compression, until it ends, and has it checked. */
export function followNode(
  observation: Observation,
  watched: Watched,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  request: OpenExchange['request'],
): void {
  if (!watched.isSampled) return;
  const hasBody = watched.operation !== undefined && watched.method !== 'HEAD';
  const response = hasBody ? observation.sample() : undefined;
  const exchange = { watched, request, response };
  let state: 'waiting' | 'begun' | 'over' = 'waiting';
  /** Releases the memory if the client disconnects. */
  const begin = (): void => {
    if (state !== 'waiting') return;
    state = 'begun';
    outgoing.once('close', () => {
      if (state === 'over') return;
      state = 'over';
      observation.breakOff(exchange);
    });
  };
  if (request instanceof BodySample) begin();
  const target = outgoing as unknown as { write: Method; end: Method };
  const { write, end } = target;
  let isEnding = false;
  if (response !== undefined) {
    target.write = (...parameters) => {
      // The `end` of HTTP/2 calls `write`.
      if (!isEnding) {
        begin();
        copy(response, parameters);
      }
      return Reflect.apply(write, outgoing, parameters);
    };
  }
  target.end = (...parameters) => {
    if (isEnding) return Reflect.apply(end, outgoing, parameters);
    isEnding = true;
    const result = Reflect.apply(end, outgoing, parameters);
    if (response !== undefined) copy(response, parameters);
    // A handler may write on when the client is gone.
    if (state === 'over') return result;
    state = 'over';
    if (request instanceof BodySample && !incoming.complete) request.cut();
    observation.end(exchange, new SentHead(outgoing));
    return result;
  };
}

/** The body that a parser in front has read; undefined if the request has none. */
export function bodyBefore(incoming: IncomingMessage, parsed: unknown): Uint8Array | 'unread' | undefined {
  if (!carriesBody(incoming)) return undefined;
  if (!incoming.readableEnded) return 'unread';
  try {
    return writeParsedBody(parsed, incoming.headers['content-type']);
  } catch {
    return 'unread';
  }
}

/** Copies the body of a request, or takes the one that a parser in front has read. */
export function requestSample(
  observation: Observation,
  { operation }: Watched,
  incoming: IncomingMessage,
  parsed: unknown,
): OpenExchange['request'] {
  if ((operation?.body ?? 'none') === 'none' || !carriesBody(incoming)) return undefined;
  if (Number(incoming.headers['content-length']) > observation.bodyLimit) return 'unread';
  if (hasStarted(incoming)) return bodyBefore(incoming, parsed);
  const sample = observation.sample();
  tapRequest(incoming, sample);
  return sample;
}

/** A method that is replaced; the types of Node have several signatures. */
type Method = (...parameters: readonly unknown[]) => unknown;

/** Copies the body of a request as it arrives, before a parser reads it. */
function tapRequest(incoming: IncomingMessage, sample: BodySample): void {
  const target = incoming as unknown as { push: Method };
  const { push } = target;
  target.push = (...parameters) => {
    copy(sample, parameters);
    return Reflect.apply(push, incoming, parameters);
  };
}

/** Whether a part of the body arrived before it could be copied. */
function hasStarted(incoming: IncomingMessage): boolean {
  return incoming.readableDidRead || incoming.readableLength > 0 || incoming.readableEnded;
}

function copy(sample: BodySample, [chunk, encoding]: readonly unknown[]): void {
  if (chunk instanceof Uint8Array) sample.add(chunk);
  if (typeof chunk !== 'string') return;
  const isUtf8 = typeof encoding !== 'string' || /^utf-?8$/i.test(encoding);
  sample.add(isUtf8 ? chunk : Buffer.from(chunk, encoding as BufferEncoding));
}

/** The head of a response that was sent, also with the headers that Node adds. */
class SentHead implements Sent {
  #all: Readonly<Record<string, HeaderValue>> | undefined;
  #hasSet: boolean | undefined;

  constructor(private readonly outgoing: ServerResponse) {}

  get status(): number {
    return this.outgoing.statusCode;
  }

  header(name: string): HeaderValue {
    const value = this.outgoing.getHeader(name);
    if (value !== undefined) {
      this.#hasSet = true;
      return value;
    }
    // Reading the whole head takes longer than the check of a small body.
    this.#hasSet ??= this.outgoing.getHeaderNames().length > 0;
    return this.#hasSet && !ADDED.has(name) ? undefined : this.headers()[name];
  }

  headers(): Readonly<Record<string, HeaderValue>> {
    return (this.#all ??= headersOf(this.outgoing));
  }
}

/** The headers that Node adds itself. */
const ADDED = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding']);

function headersOf(outgoing: ServerResponse): Readonly<Record<string, HeaderValue>> {
  // Headers that are passed to `writeHead` alone, and those that Node adds, are only in this text, which HTTP/2 does not have.
  const { _header: head } = outgoing as { readonly _header?: unknown };
  if (typeof head !== 'string') return outgoing.getHeaders();
  const headers = Object.create(null) as Record<string, string | string[]>;
  for (const line of head.split('\r\n').slice(1, -2)) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    const known = headers[name];
    headers[name] = known === undefined ? value : [known, value].flat();
  }
  return headers;
}
