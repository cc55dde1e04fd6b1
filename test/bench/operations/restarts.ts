/**
 * 50 restarts of services behind nginx under at least 20,000 POST requests, beside two busy loops: with `LISTEN_FDS`, no request may
 * fail, and with a `PORT` at most one. `--restarts 10 --requests 4000` takes less time.
 */

import { rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { compileService } from '../../support/compiled-service.js';
import { restartUnderLoad } from '../../support/restart-load.js';

/** The greatest number of failures, by the way to listen. */
const MOST_FAILURES = { LISTEN_FDS: 0, PORT: 1 } as const;

export async function restarts(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      restarts: { type: 'string', default: '50' },
      requests: { type: 'string', default: '20000' },
      'busy-loops': { type: 'string', default: '2' },
      listen: { type: 'string' },
    },
  });
  const directory = await compileService();
  try {
    for (const [listen, most] of Object.entries(MOST_FAILURES)) {
      if (values.listen !== undefined && values.listen !== listen) continue;
      const started = performance.now();
      const figures = await restartUnderLoad({
        directory,
        restarts: Number(values.restarts),
        requests: Number(values.requests),
        busyLoops: Number(values['busy-loops']),
        isHeld: listen === 'LISTEN_FDS',
      });
      const { requests, failed, failures, reasons, stored, storedRequests, slowestMs } = figures;
      console.log(
        `${listen}: ${values.restarts} restarts in ${((performance.now() - started) / 1000).toFixed(0)} s, ${String(requests)} requests, ` +
          `${String(failed)} failed, ${String(stored)} stored of ${String(storedRequests)} requests, slowest ${slowestMs.toFixed(0)} ms`,
      );
      for (const [failure, count] of failures) console.log(`  ${String(count)} × ${failure}`);
      if (reasons !== '') console.log(reasons);
      if (failed > most || stored !== storedRequests || stored < requests - failed) process.exitCode = 1;
    }
  } finally {
    await rm(directory, { recursive: true });
  }
}
