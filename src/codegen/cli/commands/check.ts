/** `concordat check`: reports the problems of the contracts and the generated files that are out of date. */

import { Command } from 'commander';
import { type Terminal, CommandFailure, examples, print, printJson } from 'concordat/terminal';
import type { ContractOptions } from '../generator/contract-options.js';
import { describeNotice } from '../../problems/contract-problem.js';
import { withContractOptions } from './contract-options.js';

interface CheckOptions extends ContractOptions {
  readonly json?: true;
}

export function checkCommand(terminal: Terminal): Command {
  return withContractOptions(new Command('check'))
    .summary('compare the generated files with the contract')
    .description(
      'Reads the contracts as the generator does, and lists every fault and every unsupported feature with its place, then each generated file that is out of date. Writes nothing.',
    )
    .option('--json', 'print {"problems", "stale", "notices"} as JSON')
    .addHelpText(
      'after',
      examples(
        'concordat check',
        'concordat check --openapi openapi.yaml --schema schema.graphql --out generated',
        'concordat check --json',
      ),
    )
    .action((options: CheckOptions) => check(terminal, options));
}

/** @throws CommandFailure when there is a problem, or a file is out of date */
export async function check(terminal: Terminal, options: CheckOptions): Promise<void> {
  const { readOptions } = await import('../generator/contract-options.js');
  const { checkFiles } = await import('../generator/output.js');
  const { error, problems, stale, notices } = await checkFiles(await readOptions(options));
  if (options.json) printJson(terminal, { problems, stale, notices });
  else for (const notice of notices) terminal.stderr.write(`${describeNotice(notice)}\n`);
  if (error !== undefined) {
    throw new CommandFailure(options.json ? 'The contract has problems.' : error.message);
  }
  if (stale.length > 0) {
    if (!options.json) for (const file of stale) print(terminal, `stale: ${file}`);
    throw new CommandFailure('These files are out of date: generate them again.');
  }
  if (!options.json) print(terminal, 'The contract has no problems, and the generated files are up to date.');
}
