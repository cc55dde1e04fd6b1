/** Puts a GraphQL handler behind Koa, at a path of its own. */

import type { Middleware } from 'koa';
import type { GraphqlHttpHandler } from '../graphql/index.js';
import { KoaRequest, pathOf, sendResponse } from './koa-message.js';

/**
 * Middleware that serves GraphQL at one path and leaves every other to what is behind it.
 *
 * @param handler - made with `graphqlHttp`
 * @example
 * ```ts
 * app.use(koaGraphql(graphqlHttp(engine, { contextOf: () => undefined })));
 * ```
 */
export function koaGraphql(
  handler: GraphqlHttpHandler,
  { path = '/graphql' }: { readonly path?: string } = {},
): Middleware {
  return async (context, next) => {
    if (pathOf(context) !== path) {
      await next();
      return;
    }
    const { operationName, ...response } = await handler(new KoaRequest(context, path));
    // For the middleware in front, whose log would otherwise know nothing but the path.
    context.state['graphqlOperation'] = operationName;
    sendResponse(context, response);
  };
}
