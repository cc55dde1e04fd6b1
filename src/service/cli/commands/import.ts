/** `concordat-service import`: stores the records of a file. */

import { statSync } from 'node:fs';
import { Argument, Command } from 'commander';
import { type Terminal, CommandFailure, print, printJson } from '@concordat/runtime/terminal';
import type { ImportJob, ImportReport } from '../records/import-file.js';
import { contractOption, storeHelp, withStore } from './with-store.js';

interface ImportOptions {
  readonly skipRefused?: true;
  readonly keepIds?: true;
  readonly dryRun?: true;
  readonly publish?: true;
  readonly json?: true;
  readonly contract?: string;
}

const FIELDS = `
Each line is one record, with the fields of the contract for a new one (UserInput, ProductInput,
OrderInput) and these fields of an export:
  users     createdAt, updatedAt
  products  categories, a list of names
  orders    userEmail in place of userId, status, createdAt, updatedAt
  posts     authorEmail in place of authorId, createdAt
  comments  userEmail in place of userId, createdAt
The store assigns ids and totals; id and total in the file are ignored. With --keep-ids, the records keep
their ids, as far as none is in use, and refer to others by id. A store is a file of "export store", whose
records always keep their ids.`;

const KINDS = ['users', 'products', 'orders', 'posts', 'comments', 'store'] as const;

export function importCommand(terminal: Terminal): Command {
  return new Command('import')
    .summary('store the records of a file')
    .description(
      'Checks every line of a file against the contract and the rules of the service, and then stores all of them in one transaction. When a line is refused, nothing is stored.',
    )
    .addArgument(new Argument('<kind>', 'the kind of the records').choices(KINDS))
    .argument('<file>', 'JSON Lines: one record per line, in UTF-8, of any size')
    .option('--skip-refused', 'store the accepted lines when others are refused')
    .option('--keep-ids', 'keep the ids of the file, in a store that has none of them')
    .option(
      '--publish',
      'with the store of one user: also publish the event user.created to webhooks and consumers',
    )
    .option('--dry-run', 'check the file, and store nothing')
    .option(...contractOption)
    .option('--json', 'print {"imported", "lines", "refused": [{"line", "reason"}]} as JSON')
    .addHelpText('after', FIELDS)
    .addHelpText(
      'after',
      storeHelp(
        'concordat-service import products products.jsonl',
        'concordat-service import users users.jsonl --dry-run --json',
        'concordat-service import orders orders.jsonl --skip-refused',
      ),
    )
    .action(async (kind: (typeof KINDS)[number], file: string, options: ImportOptions) => {
      const [{ importRecords }, { importStore }, { progressBar }] = await Promise.all([
        import('../records/import-kinds.js'),
        import('../records/import-file.js'),
        import('../records/progress-bar.js'),
      ]);
      const bytes = statSync(file, { throwIfNoEntry: false })?.size;
      if (bytes === undefined) throw new CommandFailure(`${file} is not there`);
      const bar = await progressBar(terminal, 1);
      const job: Omit<ImportJob, 'storage'> = {
        file,
        bytes,
        skipRefused: options.skipRefused === true,
        dryRun: options.dryRun === true,
        publish: options.publish === true,
        keepIds: options.keepIds === true,
        onProgress: (round, share) => bar.show(round, share),
      };
      const report = await withStore(
        terminal,
        ({ storage, contract }) =>
          kind === 'store'
            ? importStore({ ...job, storage })
            : importRecords[kind]({ ...job, storage, contract }),
        { contract: options.contract },
      ).finally(() => bar.end());
      printReport(terminal, kind === 'store' ? 'rows' : kind, report, options);
    });
}

/** Prints the report. @throws CommandFailure when lines were refused and `--skip-refused` was not given */
function printReport(terminal: Terminal, kind: string, report: ImportReport, options: ImportOptions): void {
  const { imported, lines, refused } = report;
  const isDone =
    refused.length === 0 || (options.skipRefused === true && (imported > 0 || options.dryRun === true));
  if (options.json) printJson(terminal, { imported, lines, refused });
  else {
    for (const { line, reason } of refused) terminal.stderr.write(`line ${line}: ${reason}\n`);
    if (isDone && options.dryRun)
      print(terminal, `${lines - refused.length} of ${lines} ${kind} can be imported`);
    else if (isDone) print(terminal, `Imported ${imported} of ${lines} ${kind}`);
  }
  if (!isDone) {
    const count = `${refused.length} of ${lines} lines ${refused.length === 1 ? 'was' : 'were'} refused`;
    throw new CommandFailure(options.dryRun ? `${count}.` : `Nothing was imported: ${count}.`);
  }
}
