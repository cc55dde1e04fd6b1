/** `concordat-service export`: writes the records of the store to a file or to standard output. */

import { Argument, Command } from 'commander';
import { type Terminal, print, printJson, usageFailure } from '@concordat/runtime/terminal';
import { contractOption, storeHelp, withStore } from './with-store.js';

interface ExportOptions {
  readonly out?: string;
  readonly user?: string;
  readonly json?: true;
  readonly contract?: string;
}

const KINDS = ['users', 'products', 'orders', 'posts', 'comments', 'audit', 'store'] as const;

const CONTENTS = `
Records have the fields of the contract; passwords are never exported, except in a store: it is every
row, with the hashes of passwords and keys, for "import store". Stop the services before you export it. The file
gets its name once it is complete.`;

export function exportCommand(terminal: Terminal): Command {
  return new Command('export')
    .summary('write the records of the store')
    .description('Writes all records of a kind, ascending by id, in constant memory.')
    .addArgument(new Argument('<kind>', 'what to export').choices(KINDS))
    .option('-o, --out <file>', 'the file to write (default: standard output)')
    .option('--user <id>', 'of a store, only this user, with their identities, keys, posts and comments')
    .option(...contractOption)
    .option('--json', 'print {"exported", "kind", "file"} as JSON, if there is a file')
    .addHelpText('after', CONTENTS)
    .addHelpText(
      'after',
      storeHelp(
        'concordat-service export users --out users.jsonl',
        'concordat-service export orders | jq \'select(.status == "pending")\'',
      ),
    )
    .action(async (kind: (typeof KINDS)[number], { out, user, json, contract }: ExportOptions) => {
      if (user !== undefined && kind !== 'store') throw usageFailure('--user is for export store');
      const { exportRecords } = await import('../records/export-records.js');
      const count = await withStore(
        terminal,
        ({ storage }) => exportRecords(terminal, storage, kind, out, user),
        { command: `export ${kind}`, contract },
      );
      const records = kind === 'audit' ? 'audit entries' : kind === 'store' ? 'rows' : kind;
      if (out === undefined) return;
      if (json) printJson(terminal, { exported: count, kind, file: out });
      else print(terminal, `Exported ${count} ${records} to ${out}`);
    });
}
