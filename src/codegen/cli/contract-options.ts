/** The command-line options that name contracts: their definitions, and the options of the generator that they become. */

import { type Command, InvalidArgumentError, Option } from 'commander';
import { usageFailure } from '@concordat/runtime/terminal';
import { BUILT_IN, codecOfType, type ValueType, type ValueTypes } from '../contract/schemas/value-types.js';
import { API_KEYS, type CodegenOptions, type Key } from '../generator/config-keys.js';
import { DEFAULT_CONFIG } from './settings.js';
import {
  type ForApi,
  accumulate,
  allowOriginOption,
  contractCommand,
  selectionOptions,
} from './shared-options.js';

/** A command that generates code. @param texts - as of {@link contractCommand} */
export function generatorCommand(...texts: Parameters<typeof contractCommand>): Command {
  const command = contractCommand(...texts);
  for (const option of [allowOriginOption(), ...selectionOptions()]) command.addOption(option);
  return command
    .option(
      '--openapi <file>',
      'an OpenAPI 3.0, 3.1 or 3.2 document, in place of the contracts of codegen.ts',
    )
    .option(
      '--schema <file>',
      'a GraphQL schema in SDL, in place of the contracts of codegen.ts; may be repeated, for files that extend it',
      accumulate,
    )
    .option('--out <directory>', 'the folder of the generated files (default: generated)')
    .option(
      '--accept <feature>',
      'an unsupported feature that you accept, by its name; may be repeated',
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
    if (known === undefined && !/^[A-Z][A-Za-z0-9]*$/.test(type))
      throw new InvalidArgumentError(`Write date-time=Date, with one of ${BUILT_IN.join(', ')}.`);
    return { ...before, [format]: known ?? own(type, given) };
  };
  return new Option(
    '--value <format=type>',
    `the type of values with a format: ${BUILT_IN.join(', ')}; may be repeated`,
  ).argParser(collect);
}

/**
 * The options of the generator for each API.
 *
 * @throws CommandFailure when no contract is named, or the options conflict
 */
export function generatorsOf(apis: readonly ForApi<object>[]): readonly CodegenOptions[] {
  const all = apis.map(({ options }) => {
    const named = generatorOptions(options);
    return { ...named, out: named.out ?? 'generated' };
  });
  if (all.some(({ openapi, schema }) => openapi === undefined && schema === undefined)) {
    throw usageFailure(
      `${DEFAULT_CONFIG} does not exist: start a project with concordat init, or name a contract with --openapi or --schema`,
    );
  }
  const isWithout = all.every(({ openapi }) => openapi === undefined);
  if (isWithout && all.some(({ lenient, formats, only, except }) => lenient ?? formats ?? only ?? except))
    throw usageFailure('--lenient, --formats, --only and --except go with an OpenAPI document');
  const folders = all.map(({ out }) => out);
  const twice = folders.find((out, index) => folders.indexOf(out) !== index);
  if (twice !== undefined) throw usageFailure(`two APIs would be written to ${twice}: name one with --api`);
  return all;
}

/** The options of the generator among those of a command. */
export function generatorOptions(options: object): Partial<CodegenOptions> {
  const given = options as Readonly<Record<string, unknown>>;
  const named = Object.entries<Key>(API_KEYS).map(
    ([name, key]) => [name, given[key.option ?? name]] as const,
  );
  return Object.fromEntries(named.filter(([, value]) => value !== undefined));
}
