/** The command-line options that several commands share. */

import { type Command, InvalidArgumentError, Option } from 'commander';
import { CommandFailure, exitCodes } from '@concordat/runtime/terminal';
import { originOf } from '../contract/load/fetched-documents.js';
import type { SchemaFiles } from '../generator/graphql/resolver-options.js';
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

/** `--allow-origin`, of every command that reads a document. */
export function allowOriginOption(): Option {
  return new Option(
    '--allow-origin <origin>',
    'an origin from which documents of a $ref are fetched; may be repeated',
  ).argParser((given: string, before?: readonly string[]) => {
    const origin = originOf(given);
    if (origin === undefined)
      throw new InvalidArgumentError('It must be an origin such as https://example.com.');
    return accumulate(origin, before);
  });
}

/** Collects the values of an option that may be repeated. */
export function accumulate(feature: string, before: readonly string[] = []): readonly string[] {
  return [...before, feature];
}

const SDL = /\.(?:graphqls?|gql)$/i;

/** The contracts among files; the ending of a file shows which kind it is. @throws CommandFailure for two documents */
export function contractsAmong(files: readonly string[]): {
  readonly openapi?: string;
  readonly schema?: SchemaFiles;
} {
  const schemas = files.filter((file) => SDL.test(file));
  const schema = schemas.length === 1 ? schemas[0] : schemas;
  const [openapi, ...documents] = files.filter((file) => !SDL.test(file));
  if (documents.length > 0) {
    throw new CommandFailure('name one OpenAPI document, one GraphQL schema, or both', exitCodes.usage);
  }
  return { ...(openapi !== undefined && { openapi }), ...(schemas.length > 0 && { schema }) };
}

/** @throws InvalidArgumentError for a text that is no port */
export function portOf(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError('It must be a number from 0 to 65535.');
}

/** @throws InvalidArgumentError for a text that is no whole number */
export function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number.');
}
