/** Observes exchanges that something else passes on: those of a proxy, and those of an engine in tests. */

import { type HttpHandler, type HttpResponse, type RequestHeaders, isStreamed } from '../http/message.js';
import { memoryRequest } from '../http/memory-request.js';
import { carriesBody } from '../rest/steps/read.js';
import type { BodySample } from './body-sample.js';
import type { OpenExchange } from './exchange-check.js';
import type { Observation } from './observation.js';

/** The names and values of headers, as `Headers` and `Object.entries` have them. A name may be repeated. */
type HeaderFields = Iterable<readonly [name: string, value: RequestHeaders[string]]>;

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

/** @param target - the path and the query, as they were sent @returns undefined for an exchange that is not observed */
export function openExchange(
  observation: Observation,
  method: string,
  target: string,
  fields: HeaderFields,
): PassedExchange | undefined {
  const headers = byName(fields);
  const watched = observation.begin(method, target, headers);
  if (watched === undefined) return undefined;
  const { operation, isSampled } = watched;
  const accepted = operation?.body ?? 'none';
  const hasBody = accepted !== 'none' && carriesBody({ headers });
  const isLarge = Number(headers['content-length']) > observation.bodyLimit;
  const request = hasBody && !isLarge ? observation.sample() : undefined;
  const response =
    isSampled && operation !== undefined && method !== 'HEAD' ? observation.sample() : undefined;
  let seen: OpenExchange['request'] = request ?? (hasBody ? 'unread' : undefined);
  const release = (): void => {
    request?.release();
    response?.release();
  };
  const rejection = async (): Promise<HttpResponse | undefined> => {
    const whole = accepted === 'stream' ? undefined : await request?.whole(headers['content-encoding']);
    const body = whole ?? (hasBody ? 'unread' : undefined);
    const rejected = await observation.rejection(watched, body);
    if (rejected !== undefined) release();
    // A body that could not be checked is reported.
    else if (body !== 'unread') seen = 'checked';
    return rejected;
  };
  return {
    request,
    response,
    enforced:
      operation?.mode === 'enforce'
        ? { needsBody: request !== undefined && accepted === 'whole', rejection }
        : undefined,
    end(status, responseFields) {
      if (seen === 'checked') request?.release();
      if (!isSampled) {
        release();
        return;
      }
      const all = byName(responseFields);
      const sent = { status, header: (name: string) => all[name], headers: () => all };
      observation.end({ watched, request: seen, response }, sent);
    },
    breakOff() {
      release();
      if (isSampled) observation.breakOff({ watched, request: undefined, response: undefined });
    },
  };
}

/** An exchange that has ended. A body is undefined if it is not known. */
export interface SeenExchange {
  readonly method: string;
  /** The path and the query, as they were sent. */
  readonly target: string;
  readonly requestHeaders: HeaderFields;
  readonly requestBody: Uint8Array | undefined;
  readonly status: number;
  readonly responseHeaders: HeaderFields;
  readonly responseBody: string | Uint8Array | undefined;
  /** Whether the body of the response is only the beginning of a stream. */
  readonly isCut?: boolean;
}

export function noteExchange(observation: Observation, seen: SeenExchange): void {
  const { method, target, requestHeaders, requestBody, status, responseHeaders, isCut = false } = seen;
  const { request, response, end } = openExchange(observation, method, target, requestHeaders) ?? {};
  const responseBody = status === 204 || status === 304 ? '' : seen.responseBody;
  request?.add(requestBody ?? '');
  response?.add(responseBody ?? '');
  if (requestBody === undefined) request?.cut();
  if (responseBody === undefined || isCut) response?.cut();
  end?.(status, responseHeaders);
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
    const note = (responseBody: SeenExchange['responseBody'], isCut = false): void => {
      noteExchange(observation, {
        method,
        target: query === '' ? path : `${path}?${query}`,
        requestHeaders: Object.entries(headers),
        requestBody,
        status: response.status,
        responseHeaders: Object.entries(response.headers),
        responseBody,
        isCut,
      });
    };
    if (!isStreamed(response.body)) {
      note(response.body ?? '');
      return response;
    }
    return { ...response, body: noted(response.body, note) };
  };
  const { serves, others } = handler;
  return Object.assign(observed, { ...(serves && { serves }), others });
}

/** The pieces of a body, which are noted as one text when it ends, or when its reader stops. */
async function* noted(
  body: AsyncIterable<Uint8Array>,
  note: (text: string, isCut: boolean) => void,
): AsyncGenerator<Uint8Array, void, void> {
  const decoder = new TextDecoder();
  let text = '';
  let isCut = true;
  try {
    for await (const piece of body) {
      text += decoder.decode(piece, { stream: true });
      yield piece;
    }
    isCut = false;
  } finally {
    note(text + decoder.decode(), isCut);
  }
}
