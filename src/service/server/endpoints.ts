/** Serves pages, among them those for operators, and answers their problems in the contract's format. */

import { type HttpHandler, Problem, type RestEngine } from '@concordat/runtime';
import { problemOf, ServiceError } from '@concordat/core';
import { type Content, type Page, page } from '../pages/page.js';
import type { Health } from '../watch/health.js';
import type { Metrics } from '../watch/metrics.js';

/** Writes a problem in the shape and media type of an operation's errors. */
export type Refuse = RestEngine<never>['refuse'];

/** Makes the handler of a page. */
export function pageHandler(page: Page, refuse: Refuse): HttpHandler {
  return async (request) => {
    try {
      return await page.answer(request);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return refuse(error, request);
    }
  };
}

const NO_STORE = { 'Cache-Control': 'no-store' };

/**
 * Makes `/healthz`, `/readyz` and `/metrics`. The rate limit does not count them.
 *
 * @param isProxied - whether clients come through a proxy: metrics are then for requests that did not
 */
export function probePages(health: Health, metrics: Metrics, isProxied: boolean): ReadonlyMap<string, Page> {
  return new Map([
    ['/healthz', page('healthz', () => statusContent('up'))],
    [
      '/readyz',
      page('readyz', async () => {
        const { fault, warnings } = await health.check();
        if (fault !== undefined) {
          const { status, message, headers } = problemOf(new ServiceError('unavailable', fault));
          throw new Problem(status, message, { ...NO_STORE, ...headers });
        }
        const states = [...health.answers].map(([name, answers]) => [name, answers ? 'up' : 'down'] as const);
        return statusContent('ready', { dependencies: Object.fromEntries(states), warnings });
      }),
    ],
    [
      '/metrics',
      page('metrics', async ({ headers: sent }) => {
        if (isProxied && sent['x-forwarded-for'] !== undefined) throw new Problem(404, 'Not found');
        const { contentType, text } = await metrics.render();
        return { body: text, headers: { ...NO_STORE, 'Content-Type': contentType } };
      }),
    ],
  ]);
}

interface Details {
  /** `up` or `down`, by the name of each part of the deployment. */
  readonly dependencies?: Readonly<Record<string, string>>;
  /** Faults that do not make requests fail. */
  readonly warnings?: readonly string[];
}

function statusContent(status: string, { dependencies, warnings = [] }: Details = {}): Content {
  const body = JSON.stringify({ status, dependencies, ...(warnings.length > 0 && { warnings }) });
  return { body, headers: { ...NO_STORE, 'Content-Type': 'application/json; charset=utf-8' } };
}
