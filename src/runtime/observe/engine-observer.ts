/** Observes exchanges that are in memory: those of an engine in tests, and those that a proxy has passed on. */

import { type HttpHandler, type HttpResponse, type RequestHeaders, isStreamed } from '../http/message.js';
import { memoryRequest } from '../http/memory-request.js';
import { carriesBody } from '../rest/steps/read.js';
import type { Observation } from './observation.js';

/** An exchange that has ended. The names of headers are in lower case; a body is undefined if it is not known. */
export interface SeenExchange {
  readonly method: string;
  /** The path and the query, as they were sent. */
  readonly target: string;
  readonly requestHeaders: RequestHeaders;
  readonly requestBody: Uint8Array | undefined;
  readonly status: number;
  readonly responseHeaders: RequestHeaders;
  readonly responseBody: string | Uint8Array | undefined;
  /** Whether the body of the response is only the beginning of a stream. */
  readonly isCut?: boolean;
}

export function noteExchange(observation: Observation, exchange: SeenExchange): void {
  const { method, target, requestHeaders, requestBody, status, responseHeaders, responseBody } = exchange;
  const { isCut = false } = exchange;
  const watched = observation.begin(method, target, requestHeaders);
  if (watched?.isSampled !== true) return;
  const sampleOf = (body: string | Uint8Array | undefined, isBeginning: boolean) => {
    const sample = observation.sample();
    sample.add(body ?? '');
    if (body === undefined || isBeginning) sample.cut();
    return sample;
  };
  const request = carriesBody({ headers: requestHeaders }) ? sampleOf(requestBody, false) : undefined;
  const response = method === 'HEAD' ? undefined : sampleOf(responseBody, isCut);
  const header = (name: string) => responseHeaders[name];
  observation.end({ watched, request, response }, { status, header, headers: () => responseHeaders });
}

/** A handler whose exchanges are observed. Bodies of requests are read into memory before it is called. */
export function observedHandler<Host>(
  observation: Observation,
  handler: HttpHandler<Host>,
): HttpHandler<Host> {
  const observed = async (request: Parameters<typeof handler>[0]): Promise<HttpResponse> => {
    const { method, path, query, headers: requestHeaders, host, address, signal } = request;
    const requestBody = carriesBody(request) ? await request.readBody(Infinity) : undefined;
    const body = requestBody && { body: requestBody };
    const parts = { method, path, query, headers: requestHeaders, host, address, signal, ...body };
    const response = await handler(memoryRequest<Host>(parts));
    const headers = Object.entries(response.headers).map(([name, value]) => [name.toLowerCase(), value]);
    const note = (responseBody: SeenExchange['responseBody'], isCut = false): void => {
      noteExchange(observation, {
        method,
        target: query === '' ? path : `${path}?${query}`,
        requestHeaders,
        requestBody,
        status: response.status,
        responseHeaders: Object.fromEntries(headers) as RequestHeaders,
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
