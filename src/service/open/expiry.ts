/** Deletes expired records once a minute. */

import { deleteExpired, type Storage, systemClock } from '@concordat/core';
import type { Shutdown } from '../listen/shutdown.js';
import type { Log } from '../watch/log.js';
import type { Metrics } from '../watch/metrics.js';

const MINUTE_MS = 60_000;

/** @param periodMs - the time between two runs; a minute unless given */
export function deleteExpiredRecords(
  storage: Storage,
  parts: {
    readonly log: Log;
    readonly metrics: Metrics;
    readonly shutdown: Shutdown;
    readonly auditDays?: number;
  },
  periodMs = MINUTE_MS,
): void {
  const { log, metrics, shutdown, auditDays } = parts;
  const stop = new AbortController();
  let run: Promise<void> | undefined;
  const timer = setInterval(() => {
    if (run !== undefined) return;
    const started = performance.now();
    const ended = (outcome: 'ok' | 'failed'): void =>
      metrics.measure('cleanups', outcome)((performance.now() - started) / 1000);
    run = deleteExpired(
      storage,
      systemClock.now(),
      (kind, count) => {
        metrics.measure('expired', kind)(count);
      },
      stop.signal,
      auditDays,
    )
      .then(() => ended('ok'))
      .catch((error: unknown) => {
        ended('failed');
        log.warn({ err: error }, 'expired records could not be deleted; the next try is in a minute');
      })
      .finally(() => (run = undefined));
  }, periodMs).unref();
  shutdown.onClose(() => {
    clearInterval(timer);
    stop.abort();
    return run;
  });
}
