/** A service started from settings as an operator writes them, whose log a test can read. */

import { type RunningService, serve } from '../../../src/service/serve.js';
import { openLog } from '../../../src/service/watch/log.js';
import { readSettings } from '../../../src/service/settings/settings.js';

export interface WatchedService extends RunningService {
  /** Every line that the service has logged. */
  readonly lines: readonly LogLine[];
}

export type LogLine = Readonly<Record<string, unknown>>;

/** The seconds within which it stops: clients that keep connections idle are waited for a fifth of them. */
const STOP_TIMEOUT = 0.25;

/** Starts a service with nothing in it. */
export async function startWatched(
  variables: Readonly<Record<string, string>> = {},
): Promise<WatchedService> {
  const lines: LogLine[] = [];
  const settings = readSettings({
    PORT: '0',
    DATABASE_URL: 'memory:',
    DEMO_DATA: 'off',
    ...variables,
  });
  const log = await openLog(settings.logLevel, {
    write: (line) => void lines.push(JSON.parse(line) as LogLine),
  });
  const quick = variables['STOP_TIMEOUT'] === undefined && { stopTimeoutSeconds: STOP_TIMEOUT };
  return { ...(await serve({ ...settings, ...quick }, { log })), lines };
}

/** The same for a suite: it starts before the first test and stops after the last. */
export function useWatched(variables: Readonly<Record<string, string>> = {}): () => WatchedService {
  let service: WatchedService | undefined;
  before(async () => {
    service = await startWatched(variables);
  });
  after(() => service?.stop());
  return () => {
    if (service === undefined) throw new Error('the service is not started');
    return service;
  };
}
