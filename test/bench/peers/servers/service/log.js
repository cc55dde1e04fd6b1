/** The log of the peers of the whole service, as the service writes its own. */

import { stdTimeFunctions } from 'pino';

export const logOptions = { level: 'info', base: null, timestamp: stdTimeFunctions.isoTime };

export const logDestination = { fd: 1, sync: false, minLength: 4096, periodicFlush: 200 };

/** The line that the service writes for a request. */
export function lineOf(requestId, { method, url }, status, durationMs, operation, address) {
  const [path] = url.split('?', 1);
  const rounded = Math.round(durationMs * 1000) / 1000;
  return { requestId, method, path, status, durationMs: rounded, operation, address };
}
