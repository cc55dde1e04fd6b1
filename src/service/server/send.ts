/** Writes answers, with the headers that every answer has, and those of CORS. */

import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { SecurityScheme } from '@concordat/runtime';
import { type SendResponse, sendPastKoa } from '@concordat/runtime/koa';
import helmet from 'helmet';
import type Koa from 'koa';
import type { CorsOrigins } from '../settings/operations.js';

/** The values of headers by name. */
export type FixedHeaders = Readonly<Record<string, string>>;

/**
 * Makes the function that writes answers. It bypasses Koa, because no middleware of the service changes an answer afterwards.
 *
 * @param fixed - headers of every answer; the headers of an answer override them
 * @param report - called with an error that cuts off a streamed answer
 * @param credentials - adds headers to all answers
 */
export function sendWith(
  fixed: FixedHeaders,
  report: (error: unknown) => void,
  credentials: CredentialHeaders,
): SendResponse {
  const fixedList = Object.entries(fixed).flat();
  return (context, response) => {
    const { req } = context;
    const headers = fixedList.slice();
    headers.push('X-Request-Id', String(req.headers['x-request-id']));
    credentials.addTo(headers, req);
    sendPastKoa(context, response, headers, report);
  };
}

/**
 * Makes the middleware that sets the headers of every answer, for an application with middleware of its own: its answers have them
 * too, and are private to a caller with a credential.
 */
export function setHeaders(fixed: FixedHeaders, credentials: CredentialHeaders): Koa.Middleware {
  return (context, next) => {
    const { req } = context;
    const headers: string[] = [];
    credentials.addTo(headers, req);
    context.set({ ...fixed, 'X-Request-Id': String(req.headers['x-request-id']) });
    for (let index = 0; index < headers.length; index += 2)
      context.set(headers[index] ?? '', headers[index + 1] ?? '');
    return next();
  };
}

const PRIVATE = 'private, no-cache';

/** Prevents caches from giving the answer for one caller to another (RFC 9111 §3 and §4.1). */
export class CredentialHeaders {
  readonly #vary: string;
  /** The names of the request headers that carry credentials. */
  readonly #names: readonly string[];

  /** @param schemes - the security schemes of the contract, which name the headers of credentials */
  constructor(schemes: Readonly<Record<string, SecurityScheme>>) {
    const names = Object.values(schemes).map((scheme) =>
      scheme.type === 'apiKey' ? scheme.name : 'Authorization',
    );
    this.#vary = names.join(', ');
    this.#names = names.map((name) => name.toLowerCase());
  }

  /**
   * Adds the headers. Shared caches must not keep the answer to a request with a credential.
   *
   * @param headers - names and values in turn
   */
  addTo(headers: string[], request: IncomingMessage): void {
    headers.push('Vary', this.#vary);
    if (this.#hasCredential(request)) headers.push('Cache-Control', PRIVATE);
  }

  /** Replaces what a page, a contract or another answer allows shared caches, if the request has a credential. */
  overriding(send: SendResponse): SendResponse {
    return (context, response) => {
      const { headers } = response;
      const isShared = !/^(?:private|no-store)/.test(String(headers['Cache-Control'] ?? PRIVATE));
      const isPrivate = isShared && this.#hasCredential(context.req);
      send(
        context,
        isPrivate ? { ...response, headers: { ...headers, 'Cache-Control': PRIVATE } } : response,
      );
    };
  }

  #hasCredential({ headers }: IncomingMessage): boolean {
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
    response.getHeaderNames().map((name) => [capitalized(name), String(response.getHeader(name))]),
  );
}

/** The name of a header in the spelling of the service's answers, such as `Content-Type`. */
function capitalized(name: string): string {
  return name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
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
