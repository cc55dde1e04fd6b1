/** Limits how many requests per minute one address may send. */

import type Koa from 'koa';
import type { AttemptLimiter } from '@concordat/core';
import { Problem } from 'concordat';
import { koaTransport } from 'concordat/koa';
import type { Refuse } from './places.js';

/** @param limiter - counts the requests per key, in this process or for all processes */
export function rateLimit(limiter: AttemptLimiter, refuse: Refuse): Koa.Middleware {
  return async (context, next) => {
    const wait = await limiter.take(`request from ${context.ip}`);
    if (wait === undefined) {
      await next();
      return;
    }
    const sentence = `Too many requests: try again in ${String(wait)} ${wait === 1 ? 'second' : 'seconds'}`;
    const problem = new Problem(429, sentence, { 'Retry-After': String(wait) });
    await koaTransport((request) => refuse(problem, request))(context, next);
  };
}
