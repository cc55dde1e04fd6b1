/** Observes exchanges that something else passes on: those of a proxy, and those of an engine in tests. */

import { type HttpHandler, type HttpResponse, type RequestHeaders, isStreamed } from '../http/message.js';
import { memoryRequest } from '../http/memory-request.js';
import { carriesBody } from '../rest/steps/read.js';
import { type BodySample, RESPONSE_EXPANSION } from './body-sample.js';
import type { OpenExchange } from './exchange-check.js';
import type { Observation } from './observation.js';

/** The names and values of headers, as `Headers` and `Object.entries` have them. A name may be repeated. */
export type HeaderFields = Iterable<readonly [name: string, value: RequestHeaders[string]]>;

/** An exchange that is being passed on. */
export interface PassedExchange {
  /** Gets the bytes of the bodies; undefined for a body that is not read. */
  readonly request: BodySample | undefined;
  readonly response: BodySample | undefined;
  /** The check of a request that must not reach the server before; undefined if it need not wait. */
  readonly enforced:
    | {
        /** Whether the check needs the body. */
        readonly needsBody: boolean;
        /** The response to a request that does not fit, with which the exchange is over; undefined for one that does. */
        readonly rejection: () => Promise<HttpResponse | undefined>;
      }
    | undefined;
  /** Both bodies have ended. */
  readonly end: (status: number, headers: HeaderFields) => void;
  readonly breakOff: () => void;
}

/** An exchange that has been read. A body is without its content coding, and undefined if it was too large or could not be read. */
export interface ReadExchange {
  readonly method: string;
  /** The path and the query, as they were sent. */
  readonly target: string;
  /** By name in lower case; a name that is repeated has a list. */
  readonly requestHeaders: RequestHeaders;
  readonly requestBody: Uint8Array | undefined;
  readonly status: number;
  readonly responseHeaders: RequestHeaders;
  readonly responseBody: Uint8Array | undefined;
}

/**
 * @param target - the path and the query, as they were sent
 * @param consume - gets the exchange when it is read, also if the contract does not have it
 * @returns undefined for an exchange that is not observed
 */
export function openExchange(
  observation: Observation,
  method: string,
  target: string,
  fields: HeaderFields,
  consume?: (exchange: ReadExchange) => void,
): PassedExchange | undefined {
  const headers = byName(fields);
  const watched = observation.begin(method, target, headers, true);
  if (watched === undefined) return undefined;
  const { operation, isSampled } = watched;
  const accepted = operation?.body ?? 'none';
  const isConsumed = isSampled && consume !== undefined;
  const hasBody = carriesBody({ headers });
  const isLarge = Number(headers['content-length']) > observation.bodyLimit;
  const isCopied = hasBody && !isLarge && (isConsumed || accepted !== 'none');
  const request = isCopied ? observation.sample() : undefined;
  const hasReader = isSampled && (isConsumed || operation !== undefined);
  const response = hasReader && method !== 'HEAD' ? observation.sample() : undefined;
  const sent = request ?? (hasBody ? 'unread' : undefined);
  let seen: OpenExchange['request'] = accepted === 'none' ? undefined : sent;
  const release = (): void => {
    request?.release();
    response?.release();
  };
  const rejection = async (): Promise<HttpResponse | undefined> => {
    const whole = accepted === 'whole' ? await request?.whole(headers['content-encoding']) : undefined;
    const body = whole ?? (seen === undefined ? undefined : 'unread');
    const rejected = await observation.rejection(watched, body);
    if (rejected !== undefined) release();
    // A body that could not be checked is reported.
    else if (body !== 'unread') seen = 'checked';
    return rejected;
  };
  let isOver = false;
  return {
    request,
    response,
    enforced:
      operation?.mode === 'enforce'
        ? { needsBody: request !== undefined && accepted === 'whole', rejection }
        : undefined,
    end(status, responseFields) {
      if (isOver) return;
      isOver = true;
      if (!isSampled) {
        release();
        return;
      }
      const all = byName(responseFields);
      const give = (requestBody: Uint8Array | undefined, responseBody: Uint8Array | undefined): void =>
        consume?.({
          ...{ method, target, requestHeaders: headers, requestBody },
          ...{ status, responseHeaders: all, responseBody },
        });
      const read = (): Promise<void> | undefined => {
        const asked = plainBody(sent, headers, 1);
        const answered = plainBody(response, all, RESPONSE_EXPANSION);
        // In this turn, unless something is decompressed: so it counts as work of the reader.
        if (asked instanceof Promise || answered instanceof Promise)
          return (async () => give(await asked, await answered))();
        give(asked, answered);
        return undefined;
      };
      observation.end(
        { watched, request: seen, response, copied: request, ...(isConsumed && { consume: read }) },
        { status, header: (name: string) => all[name], headers: () => all },
      );
    },
    breakOff() {
      if (isOver) return;
      isOver = true;
      release();
      if (isSampled) observation.breakOff({ watched, request: undefined, response: undefined });
    },
  };
}

/** @returns undefined for a body that is not known */
function plainBody(
  body: BodySample | 'unread' | undefined,
  { 'content-encoding': coding }: RequestHeaders,
  expansion: number,
): Promise<Uint8Array | undefined> | Uint8Array | undefined {
  if (body === 'unread') return undefined;
  const whole = body?.whole(coding, body.limit * expansion) ?? new Uint8Array();
  if (whole instanceof Promise) return whole.then((bytes) => (bytes === 'unread' ? undefined : bytes));
  return whole === 'unread' ? undefined : whole;
}

/** The values by name in lower case; a name that is repeated has a list. */
function byName(fields: HeaderFields): RequestHeaders {
  const found = new Map<string, string | readonly string[]>();
  for (const [given, value] of fields) {
    const name = given.toLowerCase();
    const known = found.get(name);
    if (value !== undefined) found.set(name, known === undefined ? value : [known, value].flat());
  }
  return Object.fromEntries(found);
}

/** A handler whose exchanges are observed. Bodies of requests are read into memory before it is called. */
export function observedHandler<Host>(
  observation: Observation,
  handler: HttpHandler<Host>,
): HttpHandler<Host> {
  const observed = async (request: Parameters<typeof handler>[0]): Promise<HttpResponse> => {
    const { method, path, query, headers, host, address, signal } = request;
    const requestBody = carriesBody(request) ? await request.readBody(Infinity) : undefined;
    const body = requestBody && { body: requestBody };
    const parts = { method, path, query, headers, host, address, signal, ...body };
    const response = await handler(memoryRequest<Host>(parts));
    const target = query === '' ? path : `${path}?${query}`;
    const passed = openExchange(observation, method, target, Object.entries(headers));
    passed?.request?.add(requestBody ?? '');
    const end = (): void => passed?.end(response.status, Object.entries(response.headers));
    if (isStreamed(response.body)) return { ...response, body: copied(response.body, passed?.response, end) };
    passed?.response?.add(response.body ?? '');
    end();
    return response;
  };
  const { serves, others } = handler;
  return Object.assign(observed, { ...(serves && { serves }), others });
}

/** The pieces of a body, of which a copy is read when it ends, or when its reader stops. */
async function* copied(
  body: AsyncIterable<Uint8Array>,
  sample: BodySample | undefined,
  end: () => void,
): AsyncGenerator<Uint8Array, void, void> {
  let isWhole = false;
  try {
    for await (const piece of body) {
      sample?.add(piece);
      yield piece;
    }
    isWhole = true;
  } finally {
    if (!isWhole) sample?.cut();
    end();
  }
}
