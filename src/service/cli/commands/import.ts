/** `concordat-service import`: stores the rows of a file. */

import { statSync } from 'node:fs';
import { Argument, Command } from 'commander';
import { type Terminal, CommandFailure, print, printJson, progressLine } from '@concordat/runtime/terminal';
import type { ImportReport } from '../records/import-store.js';
import { storeHelp, withStore } from './with-store.js';

interface ImportOptions {
  readonly dryRun?: true;
  readonly publish?: true;
  readonly json?: true;
}

const ROWS = `
Each line is one row of a table, as "export store" writes it: {"table": "users", "row": {…}}. A row without an id gets the
next one. Rows are not checked against the contract. They are stored in parts, so that others write meanwhile; after a stop,
the same command goes on where it stopped.`;

export function importCommand(terminal: Terminal): Command {
  return new Command('import')
    .summary('store the rows of a file')
    .description(
      'Stores the rows of a whole store in an empty one, of one deleted user, or of a file that you have made.',
    )
    .addArgument(new Argument('<kind>', 'what to import').choices(['store']))
    .argument('<file>', 'JSON Lines: one row per line, in UTF-8, of any size')
    .option(
      '--publish',
      'with the rows of one user: also publish the event user.created to webhooks and consumers',
    )
    .option('--dry-run', 'only read the file, and store nothing')
    .option('--json', 'print {"imported", "earlier", "lines", "refused": [{"line", "reason"}]} as JSON')
    .addHelpText('after', ROWS)
    .addHelpText('after', storeHelp('concordat-service import store store.jsonl'))
    .action(async (_kind: 'store', file: string, options: ImportOptions) => {
      const { importStore } = await import('../records/import-store.js');
      const bytes = statSync(file, { throwIfNoEntry: false })?.size;
      if (bytes === undefined) throw new CommandFailure(`${file} is not there`);
      const [dryRun, publish] = [options.dryRun === true, options.publish === true];
      const rounds = {
        checking: progressLine('checking', terminal.stderr),
        storing: progressLine('storing', terminal.stderr),
      };
      const report = await withStore(terminal, ({ storage }) =>
        importStore({
          file,
          bytes,
          storage,
          dryRun,
          publish,
          onProgress: (round, share) => rounds[round](share, 1),
        }),
      );
      printReport(terminal, report, options);
    });
}

/** Prints the report. @throws CommandFailure when a line was refused */
function printReport(terminal: Terminal, report: ImportReport, { json, dryRun }: ImportOptions): void {
  const { imported, earlier, lines, refused } = report;
  if (json) printJson(terminal, report);
  else for (const { line, reason } of refused) terminal.stderr.write(`line ${line}: ${reason}\n`);
  if (refused.length > 0) {
    throw new CommandFailure(
      imported === 0
        ? 'Nothing was imported: a line was refused.'
        : `Stopped after ${imported} of ${lines} rows, which are stored: a line was refused.`,
    );
  }
  if (json) return;
  if (dryRun) {
    print(terminal, `${lines} rows can be read`);
    return;
  }
  const before = earlier > 0 ? `, ${earlier} of them earlier` : '';
  print(terminal, `Imported ${imported} of ${lines} rows${before}`);
}
