/** `concordat-service migrate`: migrates the store ahead of the service. */

import type { Command } from 'commander';
import type { Terminal } from '@concordat/runtime/terminal';
import { contractOption, storeCommands, withStore } from './with-store.js';

interface MigrateOptions {
  readonly dryRun?: true;
  readonly contract?: string;
}

export function migrateCommand(terminal: Terminal): Command {
  const command = storeCommands(terminal, [
    'concordat-service migrate',
    'DATABASE_URL=postgres://… concordat-service migrate --json',
  ]);
  return command(
    'migrate',
    'bring the store up to date',
    async (show, { dryRun, contract }: MigrateOptions) => {
      const migrations: string[] = [];
      const later: string[] = [];
      const store = await withStore(terminal, ({ description }) => Promise.resolve(description), {
        waits: true,
        contract,
        onMigration: (name) => void migrations.push(name),
        onLaterMigration: (name) => void later.push(name),
        ...(dryRun ? { migrate: false } : { command: 'migrate', migrate: 'exactly' }),
      });
      const state = dryRun ? 'out of date' : 'brought up to date';
      const lines = [
        `${store}: ${migrations.length === 0 ? 'up to date already' : state}`,
        ...migrations.map((name) => `  ${dryRun ? 'would run' : 'ran'} ${name}`),
        ...later.map((name) => `  a later version has run ${name}`),
      ];
      show(lines.join('\n'), { store, migrations, later });
    },
  )
    .description(
      'Creates or changes the tables of the store as this version requires, and prints the steps. The service does the same when it starts; with --contract, this command also drops the indexes of filters that the contract no longer has. Several processes may run it at once. It fails on a store that this version cannot use, also with --dry-run.',
    )
    .option(...contractOption)
    .option('--dry-run', 'print the steps, and change nothing');
}
