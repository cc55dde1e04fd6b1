/** Lets a signal end the start of a server at any of its steps. */

import { type Log, written } from '../../watch/log.js';

/**
 * Waits for a server, or for the signal to stop. During the start nothing was answered yet, and migrations are one transaction, so that
 * the process may end at once.
 *
 * @param stopped - resolves at the signal; it is to be called for before the start, because the signal may come meanwhile
 * @returns undefined if the signal came first
 */
export async function started<Server extends { stop(): Promise<void> }>(
  starting: Promise<Server>,
  stopped: Promise<void>,
  log: Log,
): Promise<Server | undefined> {
  const server = await Promise.race([starting, stopped]);
  if (server !== undefined) return server;
  // For a caller whose process goes on.
  void starting.then((late) => late.stop()).catch(() => undefined);
  log.info('stopped before the start was complete');
  await written(log);
  return undefined;
}
