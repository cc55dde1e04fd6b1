/** Lets a signal end a server, and its start at any of its steps. */

import { type Log, written } from '../../watch/log.js';

/** A server of this process. */
interface Started {
  stop(): Promise<void>;
  /** Logs and counts a rejection that nothing handled. */
  readonly unhandledRejection: (reason: unknown) => void;
}

/**
 * Waits for a server, or for the signal to stop. During the start nothing was answered yet, and migrations are one transaction, so that
 * the process may end at once.
 *
 * @param stopped - resolves at the signal; it is to be called for before the start, because the signal may come meanwhile
 * @returns undefined if the signal came first
 */
export async function started<Server extends Started>(
  starting: Promise<Server>,
  stopped: Promise<void>,
  log: Log,
): Promise<Server | undefined> {
  const server = await Promise.race([starting, stopped]);
  if (server !== undefined) {
    // Otherwise one forgotten promise would end the process, and with it all that it does.
    process.on('unhandledRejection', server.unhandledRejection);
    return server;
  }
  // For a caller whose process goes on.
  void starting.then((late) => late.stop()).catch(() => undefined);
  log.info('stopped before the start was complete');
  await written(log);
  return undefined;
}

/** Waits for the signal, and stops the server once what is in flight is done. */
export async function stoppedBy(stopped: Promise<void>, server: Started, log: Log): Promise<void> {
  await stopped;
  log.info('stopping');
  await server.stop();
  process.off('unhandledRejection', server.unhandledRejection);
  log.info('stopped');
  await written(log);
}
