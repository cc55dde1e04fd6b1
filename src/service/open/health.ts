/** Opens the health check: what requests need, what they do not, and what the log and the metrics have of outages. */

import type { Events, Storage } from '@concordat/core';
import { type Health, healthOf } from '../watch/health.js';
import type { Watching } from './adapters.js';

/** Checks the database and the event broker until the service stops. */
export function openHealth(
  { storage, events }: { readonly storage: Storage; readonly events: Events },
  { failures, metrics, shutdown }: Watching,
): Health {
  const health = healthOf({
    dependencies: [
      { name: 'database', isRequired: true, ping: () => storage.ping() },
      // Without it, posts are stored, and reach the subscribers of this process.
      { name: 'event broker', isRequired: false, ping: () => events.ping() },
    ],
    isStopping: () => shutdown.isStopping,
    report: (error, { name, isRequired }) =>
      failures.other(error, isRequired ? 'the service is not ready' : `the ${name} does not answer`),
    recovered: ({ name }, seconds) => {
      const outageSeconds = Math.round(seconds * 10) / 10;
      const members = { dependency: name, outageSeconds };
      failures.outageEnded(members, `the ${name} is back after ${String(outageSeconds)} s`);
    },
  });
  metrics.read('dependencies', () => [...health.answers].map(([name, isUp]) => [Number(isUp), name]));
  health.watch();
  shutdown.onClose(() => health.close());
  return health;
}
