/** `concordat generate`: writes the code of a contract. */

import { Command, Option } from 'commander';
import { type Terminal, examples, print, printJson } from 'concordat/terminal';
import { check } from './check.js';
import type { ContractOptions } from '../generator/contract-options.js';
import { describeNotice } from '../../problems/contract-problem.js';
import { withContractOptions } from './contract-options.js';

interface GenerateOptions extends ContractOptions {
  readonly check?: true;
  readonly watch?: true;
  readonly json?: true;
}

export function generateCommand(terminal: Terminal): Command {
  return withContractOptions(new Command('generate'))
    .summary('write the code of a contract')
    .description(
      'Writes types, handler signatures, routing and checks from an OpenAPI document, and resolver signatures from a GraphQL schema. If there is a fault or an unsupported feature, it lists each with its place and writes nothing.',
    )
    .option('--check', 'write nothing, and fail when a file is out of date')
    .addOption(
      new Option('-w, --watch', 'keep running, and write again whenever a contract changes').conflicts([
        'check',
        'json',
      ]),
    )
    .option('--json', 'print {"files", "written", "notices"} as JSON')
    .addHelpText(
      'after',
      examples(
        'concordat generate',
        'concordat generate --openapi openapi.yaml --out generated',
        'concordat generate --openapi openapi.yaml --schema schema.graphql --accept servers',
        'concordat generate --watch',
      ),
    )
    .action(async (options: GenerateOptions) => {
      if (options.check) return check(terminal, options);
      if (options.watch) {
        const { watchContracts } = await import('../generator/watch.js');
        return watchContracts(terminal, options);
      }
      const { readOptions } = await import('../generator/contract-options.js');
      const { writeFiles } = await import('../generator/output.js');
      const { files, written, notices } = await writeFiles(await readOptions(options));
      if (options.json) {
        printJson(terminal, { files, written, notices });
        return;
      }
      for (const notice of notices) terminal.stderr.write(`${describeNotice(notice)}\n`);
      for (const file of written) print(terminal, `wrote ${file}`);
      const unchanged = files.length - written.length;
      if (unchanged > 0) print(terminal, `${unchanged} of ${files.length} files were up to date`);
    });
}
