/** Observes a database: measures each call of a store by its name, such as `users.find`, and the pool, and logs slow statements. */

import type { DatabaseObserver } from '@concordat/core';
import { type Log, RepeatedLines } from './log.js';
import type { Metrics } from './metrics.js';
import { openSpans } from './tracing.js';

/**
 * @param system - the name of the database in spans
 * @param slowMs - the time from which a statement is logged: each text once in ten seconds
 */
export async function databaseObserver(
  metrics: Metrics,
  log: Log,
  system: string,
  slowMs: number,
): Promise<DatabaseObserver> {
  const spans = await openSpans();
  const waited = metrics.measure('poolWaits', 'ok');
  const refused = metrics.measure('poolWaits', 'failed');
  const slow = metrics.measure('slowStatements');
  const lines = new RepeatedLines();

  async function measured<Outcome>(name: string, run: () => Promise<Outcome>): Promise<Outcome> {
    const started = performance.now();
    let outcome = 'failed';
    try {
      const value = await run();
      outcome = 'ok';
      return value;
    } finally {
      metrics.measure('databaseCalls', name, outcome)((performance.now() - started) / 1000);
    }
  }

  return {
    call: (name, run) =>
      spans === undefined ? measured(name, run) : spans.ofCall(name, system, () => measured(name, run)),
    pool(state) {
      metrics.read('poolConnections', () => {
        const { size, idle, max } = state();
        return [
          [size - idle, 'busy'],
          [idle, 'idle'],
          [max, 'max'],
        ];
      });
      metrics.read('poolWaiting', () => [[state().waiting]]);
    },
    waited: (ms, isRefused) => (isRefused ? refused : waited)(ms / 1000),
    statement: (sql, ms) => {
      if (ms < slowMs) return;
      slow();
      const more = lines.write(sql);
      if (more === undefined) return;
      const line = { sql, durationMs: Math.round(ms), ...(more > 0 && { more }) };
      log.warn(line, 'a statement of the database was slow');
    },
  };
}
