/** `concordat generate`: writes the code of a contract. */

import { Command, Option } from 'commander';
import { type Terminal, examples, print, printJson } from 'concordat/terminal';
import { check } from './check.js';
import { type ContractOptions, withContractOptions } from './contract-options.js';

interface GenerateOptions extends ContractOptions {
  readonly check?: true;
  readonly watch?: true;
  readonly json?: true;
}

export function generateCommand(terminal: Terminal): Command {
  return withContractOptions(new Command('generate'))
    .summary('write the code of a contract')
    .description(
      'Writes types, handler signatures, routing and checks from an OpenAPI document, and resolver signatures from a GraphQL schema. What a contract says and the generator cannot honour is named with its place, and stops it.',
    )
    .option('--check', 'write nothing, and fail where the files are not what the contract says')
    .addOption(
      new Option('-w, --watch', 'go on, and write again whenever the contract changes').conflicts([
        'check',
        'json',
      ]),
    )
    .option('--json', 'print {"files", "written"} as JSON')
    .addHelpText(
      'after',
      examples(
        'concordat generate',
        'concordat generate --openapi openapi.yaml --out generated',
        'concordat generate --openapi openapi.yaml --schema schema.graphql --accept callbacks',
        'concordat generate --watch',
      ),
    )
    .action(async (options: GenerateOptions) => {
      if (options.check) return check(terminal, options);
      const { generateFiles, watchContract } = await import('../generator.js');
      if (options.watch) return watchContract(options, terminal.untilStopped());
      const { files, written } = await generateFiles(options);
      if (options.json) {
        printJson(terminal, { files, written });
        return;
      }
      for (const file of written) print(terminal, `wrote ${file}`);
      const unchanged = files.length - written.length;
      if (unchanged > 0) print(terminal, `${unchanged} of ${files.length} files were up to date`);
    });
}
