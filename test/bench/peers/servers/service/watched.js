/** Puts what a service has around its contract around any listener of `node:http`: helmet, request ids, a log and metrics. */

import { performance } from 'node:perf_hooks';
import helmet from 'helmet';
import { destination, pino, stdTimeFunctions } from 'pino';
import { contentSecurityPolicy, logDestination } from './settings.js';
import { requestEnded, requestStarted } from './metrics.js';
import { requestIdOf } from './request-id.js';

const log = pino(
  { level: 'info', base: null, timestamp: stdTimeFunctions.isoTime },
  destination(logDestination),
);
const protect = helmet({ contentSecurityPolicy });

const operations = { GET: 'getUser', POST: 'createUser' };

export function watched(listener) {
  return (request, response) => {
    const started = performance.now();
    const id = requestIdOf(request);
    requestStarted();
    response.setHeader('X-Request-Id', id);
    // It removes what frameworks say of themselves too, which these do not.
    protect(request, response, () => undefined);
    response.on('close', () => {
      const durationMs = performance.now() - started;
      const { method } = request;
      const status = response.statusCode;
      const operation = operations[method] ?? 'unknown';
      requestEnded(operation, status, durationMs / 1000);
      const [path] = request.url.split('?', 1);
      const address = request.socket.remoteAddress;
      const rounded = Math.round(durationMs * 1000) / 1000;
      log.info({ requestId: id, method, path, status, durationMs: rounded, operation, address }, 'request');
    });
    listener(request, response);
  };
}
