/** Koa's media types: the engine sends `application/json`, and Koa adds its `charset`. */

import type { Context, Next } from 'koa';

export async function completeTypes(ctx: Context, next: Next): Promise<void> {
  await next();
  if (ctx.type !== '') ctx.type = String(ctx.type);
}
