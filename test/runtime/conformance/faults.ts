/** Transports that each break one rule, made of a sound one: a check that does not see its fault checks nothing. */

import type { HttpHandler, HttpRequest, HttpResponse } from '../../../src/runtime/index.js';

/** Sits between a sound transport and the handler. */
type Fault = (handler: HttpHandler) => HttpHandler;

const of = (bytes: Uint8Array): Promise<Uint8Array> => Promise.resolve(bytes);

/** By the id of the check that must see it. */
export const faults: Readonly<Record<string, Fault>> = {
  'request-method': requestWith(() => ({ method: 'GET' })),
  'request-path': requestWith(({ path }) => ({ path: decodeURIComponent(path) })),
  'request-query': requestWith(({ query }) => ({ query: decodeURIComponent(query) })),
  'request-no-query': requestWith(({ query }) => ({ query: `?${query}` })),
  'request-headers': requestWith(({ headers }) => ({
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value])),
  })),
  'request-body': requestWith((request) => ({
    readBody: async (limit) => (await request.readBody(limit)).subarray(0, 2),
  })),
  'request-body-chunked': requestWith((request) => ({
    readBody: (limit) =>
      request.headers['transfer-encoding'] === undefined ? request.readBody(limit) : of(new Uint8Array()),
  })),
  'request-body-large': requestWith((request) => ({
    readBody: async (limit) => (await request.readBody(limit)).subarray(0, 65_536),
  })),
  'request-body-stream': requestWith(({ body }) => ({ body: firstOf(body) })),
  'request-body-none': requestWith((request) => ({
    readBody: (limit) =>
      request.headers['transfer-encoding'] === undefined && !Number(request.headers['content-length'])
        ? Promise.reject(new Error('no body'))
        : request.readBody(limit),
  })),
  'request-body-json': requestWith((request) => ({
    readBody: (limit) =>
      request.headers['content-type'] === 'application/json'
        ? Promise.reject(new Error('parsed already'))
        : request.readBody(limit),
  })),
  'request-body-limit': requestWith((request) => ({ readBody: () => request.readBody(Infinity) })),
  'request-body-unread': (handler) => async (request) =>
    Number(request.headers['content-length'] ?? 0) > 100_000
      ? { status: 413, headers: {} }
      : await handler(request),
  'request-body-broken': requestWith((request) => ({
    readBody: (limit) => request.readBody(limit).catch(() => new Uint8Array()),
  })),
  'request-signal': requestWith(() => ({ signal: new AbortController().signal })),
  'request-signal-calm': requestWith(() => ({ signal: AbortSignal.abort() })),
  'request-address': requestWith(() => ({ address: undefined })),
  'response-status': responseWith(() => ({ status: 200 })),
  'response-headers': responseWith(({ headers }) => ({
    headers: { ...headers, 'Content-Type': 'text/plain' },
  })),
  'response-header-list': responseWith(({ headers }) => ({
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]),
    ),
  })),
  'response-text': responseWith(({ body }) =>
    typeof body === 'string' ? { body: Buffer.from(body, 'latin1') } : {},
  ),
  'response-bytes': responseWith(({ body }) =>
    body instanceof Uint8Array ? { body: new Uint8Array(body.buffer as ArrayBuffer) } : {},
  ),
  'response-empty': responseWith(() => ({ body: 'Not Found', headers: { 'Content-Type': 'text/plain' } })),
  'response-204': responseWith(({ status }) => (status === 204 ? { status: 200 } : {})),
  'response-304': responseWith(({ status }) => (status === 304 ? { status: 200, body: 'text' } : {})),
  'response-head': (handler) => (request) =>
    request.method === 'HEAD' ? { status: 405, headers: {} } : handler(request),
  'response-length': responseWith(({ headers, body }) =>
    typeof body === 'string' ? { body: body.slice(0, Number(headers['Content-Length'])) } : {},
  ),
  'response-length-head': responseWith(withoutHeaders),
  'response-length-204': responseWith(({ headers }) =>
    'Content-Length' in headers ? { status: 200, body: 'text' } : {},
  ),
  'response-encoding': responseWith(({ body }) => (typeof body === 'string' ? { body: inPieces(body) } : {})),
  'response-date': responseWith(withoutHeaders),
  'response-close': responseWith(withoutHeaders),
  'response-promise': (handler) => (request) => {
    const response = handler(request);
    return response instanceof Promise ? { status: 200, headers: {} } : response;
  },
  'response-throws': (handler) => async (request) => {
    try {
      return await handler(request);
    } catch (error) {
      return { status: 500, headers: {}, body: String(error) };
    }
  },
  'stream-pieces': bodyWith(firstOf),
  'stream-head-first': collected,
  'stream-backpressure': collected,
  'stream-return': bodyWith(withoutReturn),
  'stream-return-unread': bodyWith(withoutReturn),
  // A generator hears of `return()` only when it does not wait.
  'stream-return-waiting': bodyWith(generated),
  'stream-error': bodyWith(async function* (body) {
    try {
      yield* body;
    } catch {
      // To the client this is a clean end.
    }
  }),
  'stream-length': responseWith(withoutHeaders),
  'stream-length-wrong': responseWith(withoutHeaders),
  'stream-length-invalid': responseWith(() => ({ headers: { 'Content-Length': '7' } })),
  'stream-signal': (handler) => async (request) => {
    const { signal, ...response } = await handler(request);
    return signal === undefined ? response : { ...response };
  },
  'stream-head-method': bodyWith((body) => {
    const iterator = body[Symbol.asyncIterator]();
    const first = iterator.next();
    return (async function* () {
      for (let piece = await first; piece.done !== true; piece = await iterator.next()) yield piece.value;
    })();
  }),
  'stream-one-end': bodyWith(async function* (body) {
    const iterator = body[Symbol.asyncIterator]();
    for (let piece = await iterator.next(); piece.done !== true; piece = await iterator.next())
      yield piece.value;
    await iterator.return?.();
  }),
};

function requestWith(change: (request: HttpRequest) => Partial<HttpRequest>): Fault {
  return (handler) => (request) => {
    const changes: Partial<Record<PropertyKey, unknown>> = change(request);
    return handler(
      new Proxy(request, {
        get: (target, name) => {
          if (name in changes) return changes[name];
          const value: unknown = Reflect.get(target, name, target);
          return typeof value === 'function' ? (value.bind(target) as unknown) : value;
        },
      }),
    );
  };
}

function responseWith(change: (response: HttpResponse) => Partial<HttpResponse>): Fault {
  return (handler) => async (request) => {
    const response = await handler(request);
    return { ...response, ...change(response) };
  };
}

function withoutHeaders(): Partial<HttpResponse> {
  return { headers: {} };
}

async function* inPieces(text: string): AsyncGenerator<Uint8Array, void, void> {
  for (const piece of text) yield Promise.resolve(Buffer.from(piece));
}

function bodyWith(change: (body: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>): Fault {
  return responseWith(({ body }) =>
    typeof body === 'object' && Symbol.asyncIterator in body ? { body: change(body) } : {},
  );
}

async function* firstOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
  for await (const piece of body) {
    yield piece.subarray(0, 100);
    return;
  }
}

function withoutReturn(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const iterator = body[Symbol.asyncIterator]();
  return { [Symbol.asyncIterator]: () => ({ next: () => iterator.next() }) };
}

async function* generated(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
  yield* body;
}

/** Takes all that there is before it sends anything. */
function collected(handler: HttpHandler): HttpHandler {
  return async (request) => {
    const response = await handler(request);
    const { body } = response;
    if (typeof body !== 'object' || !(Symbol.asyncIterator in body)) return response;
    const pieces: Uint8Array[] = [];
    for await (const piece of body) pieces.push(piece);
    return { ...response, body: Buffer.concat(pieces) };
  };
}
