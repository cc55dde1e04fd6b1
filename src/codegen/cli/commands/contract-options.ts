/** The options of `generate` and `check` that name the contracts and the output. */

import { type Command, Option } from 'commander';

const IN_PLACE = ['openapi', 'schema', 'out', 'accept', 'lenient', 'formats'];

/** Adds the options that name the contracts. */
export function withContractOptions(command: Command): Command {
  return command
    .addOption(
      new Option('-c, --config <file>', 'the generator’s configuration (default: codegen.ts)').conflicts(
        IN_PLACE,
      ),
    )
    .option('--openapi <file>', 'an OpenAPI 3.0, 3.1 or 3.2 document, instead of a configuration')
    .option('--schema <file>', 'a GraphQL schema in SDL, instead of a configuration')
    .option('--out <directory>', 'where the generated files are (default: generated)')
    .option(
      '--accept <feature>',
      'an unsupported feature that you accept, by its name; may be repeated',
      collect,
    )
    .option('--lenient', 'accept faults that change nothing that is generated, such as a missing description')
    .addOption(
      new Option(
        '--formats <mode>',
        'whether values must match the format of their schema (default: assert)',
      ).choices(['assert', 'annotate']),
    );
}

function collect(feature: string, before: readonly string[] = []): readonly string[] {
  return [...before, feature];
}
