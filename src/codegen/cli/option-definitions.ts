/** The command-line options of the commands that generate. */

import { type Command, InvalidArgumentError, Option } from 'commander';
import { accumulate, allowOriginOption } from './shared-options.js';
import { BUILT_IN, codecOfType, type ValueType, type ValueTypes } from '../contract/model/value-types.js';

const IN_PLACE = ['openapi', 'schema', 'out', 'accept', 'lenient', 'formats', 'only', 'value'];

export function withContractOptions(command: Command): Command {
  return command
    .addOption(
      new Option('-c, --config <file>', 'the generator’s configuration (default: codegen.ts)').conflicts(
        IN_PLACE,
      ),
    )
    .option('--openapi <file>', 'an OpenAPI 3.0, 3.1 or 3.2 document, instead of a configuration')
    .option(
      '--schema <file>',
      'a GraphQL schema in SDL, instead of a configuration; may be repeated, for files that extend it',
      accumulate,
    )
    .option('--out <directory>', 'the folder of the generated files (default: generated)')
    .option(
      '--accept <feature>',
      'an unsupported feature that you accept, by its name; may be repeated',
      accumulate,
    )
    .addOption(allowOriginOption())
    .option(
      '--only <operations>',
      'generate only these operations: tag:NAME or operation:ID; may be repeated',
      accumulate,
    )
    .option('--lenient', 'accept harmless faults, such as a missing description or an unknown format')
    .addOption(
      new Option(
        '--formats <mode>',
        'whether values must match the format of their schema (default: assert)',
      ).choices(['assert', 'annotate']),
    )
    .addOption(
      valueOption((type, given) => {
        const { from, decode, encode } = codecOfType(type);
        throw new InvalidArgumentError(
          `${type} is a type of your own: start the project with concordat init --value ${given}, or name its module in codegen.ts, as in values: { '${given.slice(0, -type.length - 1)}': { type: '${type}', from: '${from}', decode: '${decode}', encode: '${encode}' } }.`,
        );
      }),
    );
}

/** `--value`. @param own - returns the value type for the name of a type of the team's own */
export function valueOption(own: (type: string, given: string) => ValueType): Option {
  const collect = (given: string, before: ValueTypes = {}): ValueTypes => {
    const [, format = '', type = ''] = /^(.+)=([^=]+)$/.exec(given) ?? [];
    const known = BUILT_IN.find((each) => each === type);
    if (known === undefined && !/^[A-Z][A-Za-z0-9]*$/.test(type)) {
      throw new InvalidArgumentError(`Write date-time=Date, with one of ${BUILT_IN.join(', ')}.`);
    }
    return { ...before, [format]: known ?? own(type, given) };
  };
  return new Option(
    '--value <format=type>',
    `the type of values with a format: ${BUILT_IN.join(', ')}; may be repeated`,
  ).argParser(collect);
}
