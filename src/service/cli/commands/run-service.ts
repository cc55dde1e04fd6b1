/** Runs the service in this process, from reading the settings to the signal that stops it. */

import { openLog, written } from '../../watch/log.js';
import { type Policy, openPolicy } from '@concordat/core';
import { type RunningService, serve } from '../../serve.js';
import { type Settings, readSettings } from '../../settings/settings.js';
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

type Started = Pick<RunningService, 'url' | 'store' | 'demoSignIns' | 'warnings'>;

/** The first line has the URL; the other lines help people who try the service out. */
function startMessage({ url, store, demoSignIns, warnings }: Started, { policy }: Settings): string {
  const lines: readonly (readonly [what: string, text: string])[] = [
    ['start here', `${url}/`],
    ['REST', `${url}/docs`],
    ['GraphQL', `${url}/graphql`],
    ['data', store],
    ['policy', policyInWords(policy)],
    ...demoSignIns.map(
      ({ email, password, role }) => ['sign in', `${email}, password ${password} (${role})`] as const,
    ),
    ...warnings.map((warning) => ['warning', warning] as const),
  ];
  return [
    `Concordat listens on ${url}`,
    ...lines.map(([what, text]) => `  ${what.padEnd(WIDTH)}${text}`),
  ].join('\n');
}

const WIDTH = 'start here  '.length;

function policyInWords(policy: Policy): string {
  return policy === openPolicy
    ? 'open: nearly everything is allowed to everybody'
    : 'protected: most things need a sign-in';
}
