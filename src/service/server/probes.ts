/** What operators ask a service: whether it lives, whether it can serve, and how it fares. */

import type Koa from 'koa';
import { pathOf } from 'concordat/koa';
import { Problem } from 'concordat';
import type { Metrics } from './metrics.js';
import type { Refuse } from './refuse.js';

/** What the service says of itself. */
export interface Health {
  /** @returns a sentence that says why the service cannot serve; undefined when it can */
  findFault(): Promise<string | undefined>;
}

type Probe = (context: Koa.Context) => Promise<void> | void;

/** `/healthz`, `/readyz` and `/metrics`. They are not counted by the rate limit. */
export function probes(health: Health, metrics: Metrics, refuse: Refuse): Koa.Middleware {
  const byPath: Readonly<Record<string, Probe>> = {
    '/healthz': (context) => {
      context.body = { status: 'up' };
    },
    '/readyz': async (context) => {
      const fault = await health.findFault();
      if (fault === undefined) context.body = { status: 'ready' };
      else refuse(context, new Problem(503, fault));
    },
    '/metrics': async (context) => {
      const { contentType, text } = await metrics.render();
      context.set('Content-Type', contentType);
      context.body = text;
    },
  };

  return (context, next) => {
    const path = pathOf(context);
    const probe = Object.hasOwn(byPath, path) ? byPath[path] : undefined;
    if (probe === undefined) return next();
    context.state['operation'] = path.slice(1);
    context.set('Cache-Control', 'no-store');
    return answer(context, probe, refuse);
  };
}

async function answer(context: Koa.Context, probe: Probe, refuse: Refuse): Promise<void> {
  switch (context.method) {
    case 'GET':
    case 'HEAD':
      await probe(context);
      return;
    case 'OPTIONS':
      context.status = 204;
      context.set('Allow', 'GET, HEAD, OPTIONS');
      return;
    default:
      refuse(context, new Problem(405, 'Method not allowed', { Allow: 'GET, HEAD, OPTIONS' }));
  }
}
