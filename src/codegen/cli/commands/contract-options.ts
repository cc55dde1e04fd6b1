/** How `generate` and `check` are told what to read and where to write. */

import { type Command, Option } from 'commander';

/** Either a configuration file, or what would stand in one. */
export interface ContractOptions {
  readonly config?: string;
  readonly openapi?: string;
  readonly schema?: string;
  readonly out?: string;
  readonly accept?: readonly string[];
}

const IN_PLACE = ['openapi', 'schema', 'out', 'accept'];

/** Adds the options that name the contracts. */
export function withContractOptions(command: Command): Command {
  return command
    .addOption(
      new Option('-c, --config <file>', 'the generator’s configuration (default: codegen.ts)').conflicts(
        IN_PLACE,
      ),
    )
    .option('--openapi <file>', 'an OpenAPI 3.0 or 3.1 document, instead of a configuration')
    .option('--schema <file>', 'a GraphQL schema in SDL, instead of a configuration')
    .option('--out <directory>', 'where the generated files are (default: generated)')
    .option('--accept <gap>', 'a gap that you accept, by its code; may be repeated', collect);
}

function collect(gap: string, before: readonly string[] = []): readonly string[] {
  return [...before, gap];
}
