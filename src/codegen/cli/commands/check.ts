/** `concordat check`: whether a contract can be honoured, and the generated files are what it says. */

import { Command } from 'commander';
import { type Terminal, CommandFailure, examples, print, printJson } from 'concordat/terminal';
import { type ContractOptions, withContractOptions } from './contract-options.js';

interface CheckOptions extends ContractOptions {
  readonly json?: true;
}

export function checkCommand(terminal: Terminal): Command {
  return withContractOptions(new Command('check'))
    .summary('hold the generated files against the contract')
    .description(
      'Reads a contract as the generator does, names what is faulty or cannot be honoured with its place in the document, and then each generated file that is not what the contract says. Writes nothing.',
    )
    .option('--json', 'print {"problems", "stale"} as JSON')
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

/** @throws CommandFailure unless all is well */
export async function check(terminal: Terminal, options: CheckOptions): Promise<void> {
  const { checkFiles } = await import('../generator.js');
  const { problems, stale } = await checkFiles(options);
  if (options.json) printJson(terminal, { problems, stale });
  if (problems.length > 0) {
    throw new CommandFailure(options.json ? 'The contract has problems.' : problems.join('\n'));
  }
  if (stale.length > 0) {
    if (!options.json) for (const file of stale) print(terminal, `stale: ${file}`);
    throw new CommandFailure('These files are not what the contract says: generate them again.');
  }
  if (!options.json)
    print(terminal, 'The contract has no problems, and the generated files are what it says.');
}
