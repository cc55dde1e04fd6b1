// requests.ts
import { randomUUID } from 'node:crypto';
import type { Hooks, HttpRequest, HttpResponse } from '@concordat/runtime';

const ids = new WeakMap<HttpRequest, string>();

/** The id of a request: that of the client or of a proxy, or else a new one. */
export function idOf(request: HttpRequest): string {
  const known = ids.get(request);
  if (known !== undefined) return known;
  const { 'x-request-id': given } = request.headers;
  const id = typeof given === 'string' && /^[\w-]{1,64}$/.test(given) ? given : randomUUID();
  ids.set(request, id);
  return id;
}

function withHeader(response: HttpResponse, name: string, value: string): HttpResponse {
  return { ...response, headers: { ...response.headers, [name]: value } };
}

export const requestIds: Hooks<unknown> = {
  after: ({ response }, { request }) => withHeader(response, 'X-Request-Id', idOf(request)),
};

export const timings: Hooks<unknown> = {
  after: ({ response, duration }) => withHeader(response, 'Server-Timing', `app;dur=${duration.toFixed(1)}`),
};
