// rate-limits.ts
import { type Hooks, type HttpHandler, Problem } from '@concordat/runtime';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { engine } from './engine.js';

async function take(limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    const seconds = Math.ceil(refusal.msBeforeNext / 1000);
    throw new Problem(429, 'Too many requests', { 'Retry-After': String(seconds) });
  }
}

const perCaller = new RateLimiterMemory({ points: 100, duration: 60 });

export const callerLimit: Hooks<{ readonly id: string }> = {
  before: (_request, { caller }) => take(perCaller, caller.id),
};

const perAddress = new RateLimiterMemory({ points: 3, duration: 60 });

const limited: HttpHandler = async (request) => {
  try {
    await take(perAddress, request.address ?? 'unknown');
  } catch (error) {
    return engine.refuse(error, request);
  }
  return engine(request);
};

/** For any transport, which still passes unknown paths on. */
export const handler: HttpHandler = Object.assign(limited, { serves: engine.serves });
