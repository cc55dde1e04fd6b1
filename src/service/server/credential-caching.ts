/** Keeps caches from giving the answer of one caller to another (RFC 9111 §3 and §4.1). */

import type Koa from 'koa';
import type { SecurityScheme } from 'concordat';

/**
 * Names the headers that carry credentials in `Vary`, and lets no shared cache keep an answer to a request that has
 * one. An operation that sets its own `Cache-Control`, such as `no-store`, overrides it.
 */
export function credentialCaching(schemes: Readonly<Record<string, SecurityScheme>>): Koa.Middleware {
  const names = Object.values(schemes).map((scheme) =>
    scheme.type === 'apiKey' ? scheme.name : 'Authorization',
  );
  const vary = names.join(', ');
  const credentials = names.map((name) => name.toLowerCase());
  return (context, next) => {
    const { headers } = context.req;
    if (context.res.hasHeader('Vary')) context.vary(vary);
    else context.res.setHeader('Vary', vary);
    if (credentials.some((name) => headers[name] !== undefined)) {
      context.res.setHeader('Cache-Control', 'private, no-cache');
    }
    return next();
  };
}
