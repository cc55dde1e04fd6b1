/** Asks clients to take their next request elsewhere while the service is on its way out (RFC 9112 §9.6). */

import type Koa from 'koa';

/** A connection that is kept would only be closed under its client's next request. */
export function closeWhen(isStopping: () => boolean): Koa.Middleware {
  return (context, next) => {
    if (isStopping()) context.res.setHeader('Connection', 'close');
    return next();
  };
}
