/** `concordat-service export`: writes the records of the store to a file or to standard output. */

import { Argument, Command, Option } from 'commander';
import { type Format, formatOf, formats } from '../records/format.js';
import { type Terminal, print } from 'concordat/terminal';
import { storeHelp } from '../shared/store-help.js';

interface ExportOptions {
  readonly out?: string;
  readonly format?: Format;
}

const KINDS = ['users', 'products', 'orders', 'posts', 'audit'] as const;

const CONTENTS = `
Users, products and orders have the fields that import accepts; passwords are never exported. The file
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
    .addHelpText('after', CONTENTS)
    .addHelpText(
      'after',
      storeHelp(
        'concordat-service export users --out users.csv',
        'concordat-service export orders | jq \'select(.status == "pending")\'',
      ),
    )
    .action(async (kind: (typeof KINDS)[number], { out, format: given }: ExportOptions) => {
      const format = out === undefined ? (given ?? 'jsonl') : formatOf(out, given);
      const [{ withStore }, { exportRecords }] = await Promise.all([
        import('../shared/with-store.js'),
        import('../records/export-records.js'),
      ]);
      const count = await withStore(
        terminal,
        ({ storage }) => exportRecords(terminal, storage, kind, format, out),
        { command: `export ${kind}` },
      );
      const records = kind === 'audit' ? 'audit entries' : kind;
      if (out !== undefined) print(terminal, `Exported ${count} ${records} to ${out}`);
    });
}
