/** Runs the service for as long as its process shall live: from its settings to the signal that ends it. */

import { openLog, written } from './log.js';
import { serve } from './serve.js';
import { readSettings } from './settings.js';
import { startMessage } from './start-message.js';
import { type Terminal, print } from 'concordat/terminal';

/**
 * Starts the service, says so, and stops it when it is told to: what is in flight is finished before this returns.
 *
 * @throws with a line for everything that is wrong with the settings, or with the reason why the service cannot start
 */
export async function runService(terminal: Terminal): Promise<void> {
  const settings = readSettings(terminal.env);
  const log = await openLog(settings.logLevel);
  const service = await serve(settings, { log });
  // Listened for before anybody reads that the service is there, and may want it to stop.
  const stopped = terminal.untilStopped();
  print(terminal, startMessage(service, settings));
  await stopped;
  log.info('stopping');
  await service.stop();
  log.info('stopped');
  await written(log);
}
