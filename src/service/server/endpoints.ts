/** Serves paths outside of the contract, such as those for operators, and answers problems in the contract's format. */

import {
  type HttpHandler,
  type HttpRequest,
  type HttpResponse,
  Problem,
  type RestEngine,
} from '@concordat/runtime';
import { problemOf, ServiceError } from '@concordat/core';
import type { Health } from '../watch/health.js';
import type { Metrics } from '../watch/metrics.js';

/** A resource at a path. */
export interface Endpoint {
  /** A fixed name, for logs and metrics. */
  readonly name: string;
  /** @throws a `Problem` for a request that it refuses */
  answer(request: HttpRequest): HttpResponse | Promise<HttpResponse>;
}

/** Writes a problem in the shape and media type of an operation's errors. */
export type Refuse = RestEngine<never>['refuse'];

/** Makes the handler of an endpoint. */
export function endpointHandler(endpoint: Endpoint, refuse: Refuse): HttpHandler {
  return async (request) => {
    try {
      return await endpoint.answer(request);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return refuse(error, request);
    }
  };
}

interface Report {
  readonly contentType: string;
  readonly text: string;
}

const METHODS = 'GET, HEAD, OPTIONS';
const NO_STORE = { 'Cache-Control': 'no-store' };

/** Makes `/healthz`, `/readyz` and `/metrics`. The rate limit does not count them. */
export function probeEndpoints(health: Health, metrics: Metrics): ReadonlyMap<string, Endpoint> {
  return new Map([
    ['/healthz', probe('healthz', () => statusReport('up'))],
    [
      '/readyz',
      probe('readyz', async () => {
        const { fault, warnings } = await health.check();
        if (fault !== undefined) {
          const { status, message, headers } = problemOf(new ServiceError('unavailable', fault));
          throw new Problem(status, message, { ...NO_STORE, ...headers });
        }
        return statusReport('ready', warnings);
      }),
    ],
    ['/metrics', probe('metrics', () => metrics.render())],
  ]);
}

function probe(name: string, report: () => Promise<Report> | Report): Endpoint {
  return {
    name,
    async answer({ method }) {
      if (method === 'OPTIONS') return { status: 204, headers: { ...NO_STORE, Allow: METHODS } };
      if (method !== 'GET' && method !== 'HEAD') {
        throw new Problem(405, 'Method not allowed', { ...NO_STORE, Allow: METHODS });
      }
      const { contentType, text } = await report();
      return { status: 200, headers: { ...NO_STORE, 'Content-Type': contentType }, body: text };
    },
  };
}

/** @param warnings - what operators must know although requests succeed */
function statusReport(status: string, warnings: readonly string[] = []): Report {
  const body = { status, ...(warnings.length > 0 && { warnings }) };
  return { contentType: 'application/json; charset=utf-8', text: JSON.stringify(body) };
}
