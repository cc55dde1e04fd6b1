/** `concordat-service migrate`: migrates the store ahead of the service. */

import { Command } from 'commander';
import { type Terminal, print, printJson } from '@concordat/runtime/terminal';
import { contractOption, storeHelp, withStore } from './with-store.js';

interface MigrateOptions {
  readonly dryRun?: true;
  readonly json?: true;
  readonly contract?: string;
}

export function migrateCommand(terminal: Terminal): Command {
  return new Command('migrate')
    .summary('bring the store up to date')
    .description(
      'Creates or changes the tables of the store as this version requires, and prints the steps. The service does the same when it starts; with --contract, this command also drops the indexes of filters that the contract no longer has. Several processes may run it at once. It fails on a store that this version cannot use, also with --dry-run.',
    )
    .option(...contractOption)
    .option('--dry-run', 'print the steps, and change nothing')
    .option(
      '--json',
      'print {"store", "migrations", "later"} as JSON; later are the migrations of a later version',
    )
    .addHelpText(
      'after',
      storeHelp('concordat-service migrate', 'DATABASE_URL=postgres://… concordat-service migrate --json'),
    )
    .action(async ({ dryRun, json, contract }: MigrateOptions) => {
      const migrations: string[] = [];
      const later: string[] = [];
      const store = await withStore(terminal, ({ description }) => Promise.resolve(description), {
        waits: true,
        contract,
        onMigration: (name) => void migrations.push(name),
        onLaterMigration: (name) => void later.push(name),
        ...(dryRun ? { migrate: false } : { command: 'migrate', migrate: 'exactly' }),
      });
      if (json) {
        printJson(terminal, { store, migrations, later });
        return;
      }
      print(
        terminal,
        `${store}: ${migrations.length === 0 ? 'up to date already' : dryRun ? 'out of date' : 'brought up to date'}`,
      );
      for (const name of migrations) print(terminal, `  ${dryRun ? 'would run' : 'ran'} ${name}`);
      for (const name of later) print(terminal, `  a later version has run ${name}`);
    });
}
