/** Observes exchanges that are in memory: those of an engine in tests, and those that a proxy has passed on. */

import { type HttpHandler, type HttpResponse, type RequestHeaders, isStreamed } from '../http/message.js';
import { memoryRequest } from '../http/memory-request.js';
import { carriesBody } from '../rest/steps/read.js';
import type { Observation } from './observation.js';

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

/** The names and values of headers, as `Headers` and `Object.entries` have them. A name may be repeated. */
type HeaderFields = Iterable<readonly [name: string, value: RequestHeaders[string]]>;

export function noteExchange(observation: Observation, exchange: SeenExchange): void {
  const { method, target, requestBody, status, isCut = false } = exchange;
  const requestHeaders = byName(exchange.requestHeaders);
  const responseHeaders = byName(exchange.responseHeaders);
  const watched = observation.begin(method, target, requestHeaders);
  if (watched?.isSampled !== true) return;
  const sampleOf = (body: string | Uint8Array | undefined, isBeginning: boolean) => {
    const sample = observation.sample();
    sample.add(body ?? '');
    if (body === undefined || isBeginning) sample.cut();
    return sample;
  };
  const responseBody = status === 204 || status === 304 ? '' : exchange.responseBody;
  const request = carriesBody({ headers: requestHeaders }) ? sampleOf(requestBody, false) : undefined;
  const response = method === 'HEAD' ? undefined : sampleOf(responseBody, isCut);
  const header = (name: string) => responseHeaders[name];
  observation.end({ watched, request, response }, { status, header, headers: () => responseHeaders });
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
