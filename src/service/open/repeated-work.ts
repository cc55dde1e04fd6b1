/** Starts the work that the service repeats until it stops: it deletes expired records, and checks its dependencies. */

import { type Events, type Storage, deleteExpired, systemClock } from '@concordat/core';
import { type Health, healthOf } from '../watch/health.js';
import type { Watching } from './adapters.js';

const MINUTE_MS = 60_000;

type ExpiryParts = Pick<Watching, 'log' | 'metrics' | 'shutdown'> & { readonly auditDays?: number };

/** Deletes expired records once a minute. @param periodMs - the time between two runs, which tests shorten */
export function deleteExpiredRecords(
  storage: Storage,
  { log, metrics, shutdown, auditDays }: ExpiryParts,
  periodMs = MINUTE_MS,
): void {
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

/** Checks the database and the event broker until the service stops. */
export function openHealth(
  { storage, events }: { readonly storage: Storage; readonly events?: Events },
  { log, failures, metrics, shutdown }: Watching,
): Health {
  const health = healthOf({
    dependencies: [
      { name: 'database', isRequired: true, ping: () => storage.ping() },
      // Without it, posts are stored, and reach the subscribers of this process.
      ...(events === undefined
        ? []
        : [{ name: 'event broker', isRequired: false, ping: () => events.ping() }]),
    ],
    isStopping: () => shutdown.isStopping,
    report: (error, { name, isRequired }) =>
      failures.other(error, isRequired ? 'the service is not ready' : `the ${name} does not answer`),
    recovered: ({ name }, seconds) => {
      const outageSeconds = Math.round(seconds * 10) / 10;
      log.warn({ dependency: name, outageSeconds }, `the ${name} is back after ${String(outageSeconds)} s`);
    },
  });
  metrics.read('dependencies', () => [...health.answers].map(([name, isUp]) => [Number(isUp), name]));
  health.watch();
  shutdown.onClose(() => health.close());
  return health;
}
