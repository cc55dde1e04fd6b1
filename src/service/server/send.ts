/** Writes answers, with the headers that every answer has, and those of CORS. */

import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { HttpResponse, SecurityScheme } from '@concordat/runtime';
import { type SendResponse, sendPastKoa, sendResponse } from '@concordat/runtime/koa';
import helmet from 'helmet';
import type Koa from 'koa';
import type { CorsOrigins } from '../settings/operations.js';

/** The values of headers by name. */
type FixedHeaders = Readonly<Record<string, string>>;

/**
 * Makes the function that writes answers. It bypasses Koa, because no middleware of the service changes an answer afterwards.
 *
 * @param fixed - headers of every answer; the headers of an answer override them
 * @param report - called with an error that cuts off a streamed answer
 */
export function sendWith(
  fixed: FixedHeaders,
  report: (error: unknown) => void,
  credentials: CredentialHeaders,
): SendResponse {
  const fixedList = [...Object.entries(fixed).flat(), 'Vary', credentials.vary];
  return (context, response) => {
    const { req } = context;
    const headers = fixedList.slice();
    headers.push('X-Request-Id', String(req.headers['x-request-id']));
    const isPrivate = credentials.areIn(req);
    if (isPrivate) headers.push('Cache-Control', PRIVATE);
    sendPastKoa(context, isPrivate ? unshared(response) : response, headers, report);
  };
}

/**
 * Makes the middleware that sets the headers of every answer, and the function that writes answers, for an application with
 * middleware of its own: it finds an answer in Koa's context, where it can change it.
 */
export function sendThroughKoa(
  fixed: FixedHeaders,
  credentials: CredentialHeaders,
): { readonly setHeaders: Koa.Middleware; readonly send: SendResponse } {
  return {
    setHeaders: (context, next) => {
      const { req } = context;
      const id = { 'X-Request-Id': String(req.headers['x-request-id']) };
      context.set({ ...fixed, ...id, Vary: credentials.vary });
      if (credentials.areIn(req)) context.set('Cache-Control', PRIVATE);
      return next();
    },
    send: (context, response) => {
      sendResponse(context, credentials.areIn(context.req) ? unshared(response) : response);
    },
  };
}

/** Shared caches must not keep the answer to a request with a credential, nor give it to another caller (RFC 9111 §3 and §4.1). */
const PRIVATE = 'private, no-cache';

/** Replaces what a page, a contract or another answer allows shared caches. */
function unshared(response: HttpResponse): HttpResponse {
  const { headers } = response;
  const isShared = !/^(?:private|no-store)/.test(String(headers['Cache-Control'] ?? PRIVATE));
  return isShared ? { ...response, headers: { ...headers, 'Cache-Control': PRIVATE } } : response;
}

/** The request headers that carry credentials. */
export class CredentialHeaders {
  readonly vary: string;
  readonly #names: readonly string[];

  /** @param schemes - the security schemes of the contract, which name the headers */
  constructor(schemes: Readonly<Record<string, SecurityScheme>>) {
    const names = Object.values(schemes).map((scheme) =>
      scheme.type === 'apiKey' ? scheme.name : 'Authorization',
    );
    this.vary = names.join(', ');
    this.#names = names.map((name) => name.toLowerCase());
  }

  areIn({ headers }: IncomingMessage): boolean {
    for (const name of this.#names) if (headers[name] !== undefined) return true;
    return false;
  }
}

/** Helmet's headers, with a Content-Security-Policy for an API: answers run no scripts, load nothing and are not framed. */
const protect = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
    },
  },
});

/** The headers are the same for every answer, so helmet runs once. A page that needs more has its own policy. */
export function securityHeaders(): FixedHeaders {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  protect(request, response, () => undefined);
  return Object.fromEntries(
    response.getHeaderNames().map((name) => {
      const capitalized = name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
      return [capitalized, String(response.getHeader(name))];
    }),
  );
}

/** The response headers that a page may read beyond the safelisted ones. */
const EXPOSED = [
  'Deprecation',
  'ETag',
  'Idempotency-Replayed',
  'Link',
  'Location',
  'Retry-After',
  'Sunset',
  'WWW-Authenticate',
  'X-API-Deprecated',
  'X-API-Deprecation-Date',
  'X-API-Sunset-Date',
  'X-API-Supported-Versions',
  'X-Page',
  'X-Per-Page',
  'X-Request-Id',
  'X-Total-Count',
];

/**
 * Creates the middleware that lets the pages of other origins call the service from a browser (Fetch standard, CORS protocol). Pages send credentials in headers that they set themselves, so cookies are never allowed.
 *
 * @param fixed - headers of every answer
 * @returns undefined when no other origin is allowed
 */
export async function crossOrigin(
  origins: CorsOrigins | undefined,
  fixed: FixedHeaders,
): Promise<Koa.Middleware | undefined> {
  if (origins === undefined) return undefined;
  const { default: cors } = await import('@koa/cors');
  const answer = cors({
    origin: (context) => {
      if (origins === '*') return '*';
      const origin = context.get('Origin');
      return origins.has(origin) ? origin : '';
    },
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposeHeaders: EXPOSED,
    maxAge: 600,
  });
  return (context, next): unknown => {
    const { method, headers } = context.req;
    // The library answers preflight requests itself, so these answers get the fixed headers here.
    if (method === 'OPTIONS' && headers['access-control-request-method'] !== undefined) {
      context.set({ ...fixed, 'X-Request-Id': String(headers['x-request-id']) });
    }
    return answer(context, next);
  };
}
