/** `concordat-service migrate`: migrates the store ahead of the service. */

import { Command } from 'commander';
import { type Terminal, print, printJson } from 'concordat/terminal';
import { storeHelp } from '../shared/store-help.js';

export function migrateCommand(terminal: Terminal): Command {
  return new Command('migrate')
    .summary('bring the store up to date')
    .description(
      'Creates or changes the tables of the store as this version requires, and prints the steps. The service does the same when it starts. Several processes may run it at once.',
    )
    .option('--dry-run', 'print the steps, and change nothing')
    .option('--json', 'print {"store", "migrations"} as JSON')
    .addHelpText(
      'after',
      storeHelp('concordat-service migrate', 'DATABASE_URL=postgres://… concordat-service migrate --json'),
    )
    .action(async ({ dryRun, json }: { readonly dryRun?: true; readonly json?: true }) => {
      const { withStore } = await import('../shared/with-store.js');
      const migrations: string[] = [];
      const note = (name: string): void => void migrations.push(name);
      const store = await withStore(terminal, ({ description }) => Promise.resolve(description), {
        onMigration: note,
        ...(dryRun ? { migrate: false } : { command: 'migrate' }),
      });
      if (json) {
        printJson(terminal, { store, migrations });
        return;
      }
      print(
        terminal,
        `${store}: ${migrations.length === 0 ? 'up to date already' : dryRun ? 'out of date' : 'brought up to date'}`,
      );
      for (const name of migrations) print(terminal, `  ${dryRun ? 'would run' : 'ran'} ${name}`);
    });
}
