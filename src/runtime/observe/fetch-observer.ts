/** Observes the exchanges of the Fetch standard, as Hono has them. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpResponse } from '../http/message.js';
import type { BodySample } from './body-sample.js';
import { followNode, requestSample } from './node-observer.js';
import type { Watched } from './exchange-check.js';
import type { Observation } from './observation.js';

/** The part of Hono's context that is used. */
export interface FetchContext {
  readonly req: {
    readonly raw: Request;
    /** The results of body parsers. */
    readonly bodyCache: object;
    /** Reads the body, or takes the result of a parser. */
    arrayBuffer(): Promise<ArrayBuffer>;
  };
  res: Response;
  /** Hono's server for Node puts Node's messages here. */
  readonly env: unknown;
}

interface NodeMessages {
  readonly incoming?: IncomingMessage;
  readonly outgoing?: ServerResponse;
}

/**
 * Observes an exchange around its handler.
 *
 * @param keepAlive - gets a promise that resolves when the exchange is checked
 * @returns the rejection of the request; undefined if it reached its handler
 */
export async function observeFetch(
  observation: Observation,
  context: FetchContext,
  next: () => Promise<unknown>,
  keepAlive: (checked: Promise<void>) => void,
): Promise<HttpResponse | undefined> {
  const { raw } = context.req;
  const { incoming, outgoing } = (context.env ?? {}) as NodeMessages;
  const headers = incoming?.headers ?? Object.fromEntries(raw.headers);
  const watched = observation.begin(raw.method, raw.url, headers);
  const isEnforced = watched?.operation?.mode === 'enforce';
  // Where Node's messages are known, their bytes are copied: a copy of the response would keep Hono's server from writing a text at once.
  const isNode = incoming !== undefined && outgoing !== undefined;
  if (isNode && watched !== undefined) {
    const request = isEnforced ? 'checked' : requestSample(observation, watched, incoming, undefined);
    followNode(observation, watched, incoming, outgoing, request);
  }
  if (isEnforced) {
    const rejection = await observation.rejection(watched, await bodyOf(context.req, watched));
    if (rejection !== undefined) return rejection;
  }
  await next();
  if (!isNode && watched?.isSampled === true) {
    const copied = observation.during(followFetch(observation, watched, context, isEnforced));
    keepAlive(copied.then(() => observation.settled()));
  }
  return undefined;
}

async function followFetch(
  observation: Observation,
  watched: Watched,
  context: FetchContext,
  isChecked: boolean,
): Promise<void> {
  const { status, headers } = context.res;
  const all = { ...Object.fromEntries(headers), 'set-cookie': headers.getSetCookie() };
  const [response, request] = await Promise.all([
    copyResponse(observation, watched, context),
    isChecked ? ('checked' as const) : bodyOf(context.req, watched, observation.bodyLimit),
  ]);
  const sent = { status, header: (name: string) => headers.get(name) ?? undefined, headers: () => all };
  observation.end({ watched, request, response }, sent);
}

/** @param limit - in bytes, for a body that a parser has read; without it, the body is read now, and parsers take it from the cache */
async function bodyOf(
  request: FetchContext['req'],
  { operation }: Watched,
  limit?: number,
): Promise<Uint8Array | 'unread' | undefined> {
  const { raw, bodyCache } = request;
  if ((operation?.body ?? 'none') === 'none' || raw.body === null) return undefined;
  const names = Object.keys(bodyCache);
  // A form that was parsed is not written again.
  if (names.length === 0 ? limit !== undefined || operation?.body === 'stream' : names.includes('formData'))
    return 'unread';
  try {
    const bytes = new Uint8Array(await request.arrayBuffer());
    return limit !== undefined && bytes.length > limit ? 'unread' : bytes;
  } catch {
    return 'unread';
  }
}

/** Copies the body of the response as it is read, of which nothing changes but the identity of the stream. */
async function copyResponse(
  observation: Observation,
  { operation, method }: Watched,
  context: FetchContext,
): Promise<BodySample | undefined> {
  const { body } = context.res;
  if (operation === undefined || method === 'HEAD') return undefined;
  const sample = observation.sample();
  if (body === null) return sample;
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>(
    {
      transform(piece, controller) {
        sample.add(piece);
        controller.enqueue(piece);
      },
    },
    undefined,
    { highWaterMark: 0 },
  );
  context.res = new Response(readable, context.res);
  await body.pipeTo(writable).catch(() => sample.cut());
  return sample;
}
