/** Runs the service in its process: from reading the settings to the signal that stops it. */

import { openLog, written } from '../../watch/log.js';
import { serve } from '../../serve.js';
import { readSettings } from '../../settings/settings.js';
import { startMessage } from './start-message.js';
import { type Terminal, print } from 'concordat/terminal';

/**
 * Starts the service, prints the start message, waits for the signal to stop, and returns once requests in flight are done.
 *
 * @throws an error with one line per wrong setting, or with the reason why the service cannot start
 */
export async function runService(terminal: Terminal): Promise<void> {
  const settings = readSettings(terminal.env);
  const log = await openLog(settings.logLevel);
  const service = await serve(settings, { log });
  // Registered before the start message is printed, because a reader of it may send the signal at once.
  const stopped = terminal.untilStopped();
  print(terminal, startMessage(service, settings));
  await stopped;
  log.info('stopping');
  await service.stop();
  log.info('stopped');
  await written(log);
}
