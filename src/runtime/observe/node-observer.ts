/** Observes the exchanges of `node:http`, which Koa, Express, Fastify and Hono's server for Node are built on. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpResponse } from '../http/message.js';
import { carriesBody } from '../rest/steps/read.js';
import { writeParsedBody } from '../transports/node/node-request.js';
import { BodySample } from './body-sample.js';
import type { OpenExchange, Watched } from './exchange-check.js';
import type { Observation } from './observation.js';
import { type ResponseTap, SentHead, hasStarted, tapRequest, tapResponse } from './node-tap.js';

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

/** Copies an exchange until it ends, and has it checked. */
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
  tapResponse(outgoing, new NodeExchange(observation, watched, incoming, outgoing, request, response));
}

class NodeExchange implements OpenExchange, ResponseTap {
  #isOver = false;
  #isWatched = false;

  constructor(
    private readonly observation: Observation,
    readonly watched: Watched,
    private readonly incoming: IncomingMessage,
    private readonly outgoing: ServerResponse,
    readonly request: OpenExchange['request'],
    readonly response: BodySample | undefined,
  ) {
    if (request instanceof BodySample) this.begun();
  }

  /** Releases the memory if the client disconnects. */
  begun(): void {
    if (this.#isWatched) return;
    this.#isWatched = true;
    this.outgoing.once('close', () => {
      if (this.#isOver) return;
      this.#isOver = true;
      this.observation.breakOff(this);
    });
  }

  ended(): void {
    // A handler may write on when the client is gone.
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.request instanceof BodySample && !this.incoming.complete) this.request.cut();
    this.observation.end(this, new SentHead(this.outgoing));
  }
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
