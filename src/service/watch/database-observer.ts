/** Observes a database: measures each call of a store by its name, such as `users.find`, and the pool, and logs slow statements. */

import type { DatabaseObserver } from '@concordat/core';
import type { Log } from './log.js';
import type { Metrics } from './metrics.js';
import { openSpans } from './tracing.js';

/** The time in which a slow statement is logged once. */
const WINDOW_MS = 10_000;

/** The maximum number of texts that are counted apart: more than the stores have, except for lists of many lengths. */
const MOST_TEXTS = 1_000;

/**
 * @param system - the name of the database in spans
 * @param slowMs - the time from which a statement is logged: each text once in ten seconds, and then with a count
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
  const logged = new Map<string, { readonly at: number; more: number }>();

  function noteSlow(sql: string, ms: number): void {
    slow();
    const now = performance.now();
    const last = logged.get(sql);
    if (last !== undefined && now - last.at < WINDOW_MS) {
      last.more += 1;
      return;
    }
    if (logged.size >= MOST_TEXTS) logged.clear();
    logged.set(sql, { at: now, more: 0 });
    const count = last !== undefined && last.more > 0 && { more: last.more };
    log.warn({ sql, durationMs: Math.round(ms), ...count }, 'a statement of the database was slow');
  }

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
      if (ms >= slowMs) noteSlow(sql, ms);
    },
  };
}
