/** Runs the service in this process, from reading the settings to the signal that stops it. */

import { type Policy, openPolicy } from '@concordat/core';
import { type Terminal, print } from '@concordat/runtime/terminal';
import { version } from '../../open/contract-endpoints.js';
import { type RunningService, serve } from '../../serve.js';
import { type Settings, readSettings } from '../../settings/settings.js';
import { linesOf, openLog } from '../../watch/log.js';
import { started, stoppedBy } from './started.js';

/**
 * Starts the service, prints the start message, waits for the signal to stop, and returns once requests in flight are done. A signal
 * during the start ends it at once.
 *
 * @param stopped - resolves at the signal. It is called for before this file is loaded, because the signal may come meanwhile
 * @throws an error with one line per wrong setting, or with the reason why the service cannot start
 */
export async function runService(
  terminal: Terminal,
  stopped: Promise<void>,
  { migrate, contract }: { readonly migrate: boolean; readonly contract?: string | undefined },
): Promise<void> {
  const settings = readSettings(terminal.env);
  const log = await openLog(settings.logLevel);
  const starting = serve(settings, { log, migrate, ...(contract !== undefined && { contract }) });
  const service = await started(starting, stopped, log);
  if (service === undefined) return;
  const toWrite = terminal.stdout.isTTY ? startMessage : startLines;
  print(terminal, await toWrite(service, settings));
  await stoppedBy(stopped, service, log);
}

type Started = Pick<RunningService, 'url' | 'store' | 'demoSignIns' | 'warnings'>;

/** Lines for programs, which learn the URL from them. */
async function startLines(service: Started, { policy }: Settings): Promise<string> {
  const { url, store, demoSignIns, warnings } = service;
  const signIns = demoSignIns.length > 0 && { demoSignIns };
  return await linesOf((log) => {
    // The space after the URL lets a script read it without a parser of JSON.
    log.info(
      { url, version, store, policy: nameOf(policy), ...signIns },
      `Concordat ${version} listens on ${url} with ${store}`,
    );
    for (const warning of warnings) log.warn(warning);
  });
}

/** The first line has the URL; the other lines help people who try the service out. */
function startMessage({ url, store, demoSignIns, warnings }: Started, { policy }: Settings): string {
  const lines: readonly (readonly [what: string, text: string])[] = [
    ['start here', `${url}/`],
    ['REST', `${url}/docs`],
    ['GraphQL', `${url}/graphql`],
    ['data', store],
    ['policy', POLICIES[nameOf(policy)]],
    ...demoSignIns.map(
      ({ email, password, role }) => ['sign in', `${email}, password ${password} (${role})`] as const,
    ),
    ...warnings.map((warning) => ['warning', warning] as const),
  ];
  return [
    `Concordat ${version} listens on ${url}`,
    ...lines.map(([what, text]) => `  ${what.padEnd(WIDTH)}${text}`),
  ].join('\n');
}

const WIDTH = 'start here  '.length;

const POLICIES = {
  open: 'open: nearly everything is allowed to everybody',
  protected: 'protected: most things need a sign-in',
};

function nameOf(policy: Policy): keyof typeof POLICIES {
  return policy === openPolicy ? 'open' : 'protected';
}
