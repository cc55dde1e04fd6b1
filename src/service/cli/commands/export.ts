/** `concordat-service export`: writes the records of the store to a file or to standard output. */

import { Argument, Command, Option } from 'commander';
import { type Format, formatOf, formats } from '../records/format.js';
import { type Terminal, CommandFailure, exitCodes, print, printJson } from '@concordat/runtime/terminal';
import { storeHelp } from '../shared/store-help.js';

interface ExportOptions {
  readonly out?: string;
  readonly format?: Format;
  readonly user?: string;
  readonly json?: true;
}

const KINDS = ['users', 'products', 'orders', 'posts', 'comments', 'audit', 'store'] as const;

const CONTENTS = `
Records have the fields that import accepts; passwords are never exported, except in a store: it is every
row, with the hashes of passwords and keys, for "import store". Stop the services before you export it. The file
gets its name once it is complete.`;

export function exportCommand(terminal: Terminal): Command {
  return new Command('export')
    .summary('write the records of the store')
    .description('Writes all records of a kind, ascending by id, in constant memory.')
    .addArgument(new Argument('<kind>', 'what to export').choices(KINDS))
    .option('-o, --out <file>', 'the file to write (default: standard output)')
    .addOption(
      new Option('--format <format>', 'the format (default: by the ending of the file, else jsonl)').choices(
        formats,
      ),
    )
    .option('--user <id>', 'of a store, only this user, with their identities, keys, posts and comments')
    .option('--json', 'print {"exported", "kind", "file"} as JSON, if there is a file')
    .addHelpText('after', CONTENTS)
    .addHelpText(
      'after',
      storeHelp(
        'concordat-service export users --out users.csv',
        'concordat-service export orders | jq \'select(.status == "pending")\'',
      ),
    )
    .action(async (kind: (typeof KINDS)[number], { out, format: given, user, json }: ExportOptions) => {
      const format = out === undefined ? (given ?? 'jsonl') : formatOf(out, given);
      if ((kind === 'store' || (json && out === undefined)) && format === 'csv')
        throw new CommandFailure('This is JSON: --format csv does not fit', exitCodes.usage);
      if (user !== undefined && kind !== 'store')
        throw new CommandFailure('--user is for export store', exitCodes.usage);
      const [{ withStore }, { exportRecords }] = await Promise.all([
        import('../shared/with-store.js'),
        import('../records/export-records.js'),
      ]);
      const count = await withStore(
        terminal,
        ({ storage }) => exportRecords(terminal, storage, kind, format, out, user),
        { command: `export ${kind}` },
      );
      const records = kind === 'audit' ? 'audit entries' : kind === 'store' ? 'rows' : kind;
      if (out === undefined) return;
      if (json) printJson(terminal, { exported: count, kind, file: out });
      else print(terminal, `Exported ${count} ${records} to ${out}`);
    });
}
