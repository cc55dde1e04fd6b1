/** Puts what a service has around its contract around any listener of `node:http`: helmet, request ids, a log and metrics. */

import { performance } from 'node:perf_hooks';
import helmet from 'helmet';
import { destination, pino } from 'pino';
import { contentSecurityPolicy } from './settings.js';
import { lineOf, logDestination, logOptions } from './log.js';
import { requestEnded, requestStarted } from './metrics.js';
import { requestIdOf } from './request-id.js';

const log = pino(logOptions, destination(logDestination));
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
      const status = response.statusCode;
      const operation = operations[request.method] ?? 'unknown';
      requestEnded(operation, status, durationMs / 1000);
      const address = request.socket.remoteAddress;
      log.info(lineOf(id, request, status, durationMs, operation, address), 'request');
    });
    listener(request, response);
  };
}
