/** `concordat-service deliver`: delivers events until a signal stops it. */

import { Command } from 'commander';
import { type Terminal, print } from '@concordat/runtime/terminal';
import { type DeliverySettings, deliver, deliverySettings } from '../../deliver.js';
import {
  type Setting,
  givenSettings,
  readValues,
  slipWarnings,
  variableNames,
} from '../../settings/setting.js';
import { settingsTable } from '../../settings/settings.js';
import { linesOf, openLog } from '../../watch/log.js';
import { started, stoppedBy } from './started.js';
import { contractOption, storeHelp } from './with-store.js';

export function deliverCommand(terminal: Terminal): Command {
  return new Command('deliver')
    .summary('deliver the events that processes with OUTBOX=store have stored')
    .description(
      'Delivers the events of the store to the webhooks until SIGINT or SIGTERM, beside processes of the service with OUTBOX=store. It serves /healthz, /readyz and /metrics on HOST and PORT. Several share the deliveries. Consumers in code of your own are served by the programs that have them.',
    )
    .option('--no-migrate', 'do not start on a store that lacks migrations, instead of running them')
    .option(...contractOption)
    .addHelpText('after', storeHelp('PORT=3100 concordat-service deliver'))
    .action(async (options: { readonly migrate: boolean; readonly contract?: string }) => {
      const stopped = terminal.untilStopped();
      const rows = Object.values<Setting<unknown>>(deliverySettings);
      const settings = readValues(deliverySettings, givenSettings(terminal.env, rows)) as DeliverySettings;
      const log = await openLog(settings.logLevel);
      const running = await started(deliver(settings, { ...options, log }), stopped, log);
      if (running === undefined) return;
      const { url, store } = running;
      const names = variableNames(Object.values<Setting<unknown>>(settingsTable));
      for (const warning of slipWarnings(terminal.env, names)) log.warn(warning);
      const text = `Concordat delivers the events of ${store}, and answers operators on ${url}`;
      // A program learns the URL from this line.
      const line = (): Promise<string> => linesOf((lines) => lines.info({ url, store }, text));
      print(terminal, terminal.stdout.isTTY ? text : await line());
      await stoppedBy(stopped, running, log);
    });
}
