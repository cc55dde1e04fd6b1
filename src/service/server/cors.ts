/** Lets the pages of other origins call the service from a browser (Fetch standard, CORS protocol). */

import type Koa from 'koa';
import type { CorsOrigins } from '../settings/operations.js';
import type { FixedHeaders } from './send.js';

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

const TEN_MINUTES = 600;

/**
 * Creates the middleware. Pages send credentials in headers that they set themselves, so cookies are never allowed.
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
    maxAge: TEN_MINUTES,
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
