/** Limits how many requests per minute one client may send, over HTTP and over WebSocket. */

import type { IncomingMessage } from 'node:http';
import { type AttemptLimiter, networkOf, problemOf, tooManyRequests } from '@concordat/core';
import type { Problem } from 'concordat';

/** Counts a request of an address. @returns the problem of a request beyond the limit */
export type RequestCount = (address: string) => Promise<Problem | undefined>;

/** @param limiter - counts the requests per key, in this process or for all processes */
export function requestCount(limiter: AttemptLimiter): RequestCount {
  return async (address) => {
    const wait = await limiter.take(`request from ${networkOf(address)}`);
    return wait === undefined ? undefined : problemOf(tooManyRequests('Too many requests', wait));
  };
}

/**
 * The client's address as Koa finds it, for requests that do not pass through Koa.
 *
 * @param trustProxy - the number of entries of `X-Forwarded-For`, from the right, that trusted proxies have written
 */
export function addressOf(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  trustProxy: number,
): string | undefined {
  const forwarded = headers['x-forwarded-for'];
  if (trustProxy === 0 || typeof forwarded !== 'string') return socket.remoteAddress;
  return forwarded.split(/\s*,\s*/).slice(-trustProxy)[0] || socket.remoteAddress;
}
