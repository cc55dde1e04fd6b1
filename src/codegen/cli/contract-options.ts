/** The command-line options that name contracts: their definitions, and the options of the generator that they become. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { CommandFailure, exitCodes } from '@concordat/runtime/terminal';
import { BUILT_IN, codecOfType, type ValueType, type ValueTypes } from '../contract/model/value-types.js';
import type { CodegenOptions, ConcordatConfig } from '../generator/config.js';
import { accumulate, allowOriginOption } from './shared-options.js';

/** Either a configuration file, or the options that would be in one. */
export interface ContractOptions {
  readonly config?: string;
  readonly openapi?: string;
  readonly schema?: readonly string[];
  readonly out?: string;
  readonly accept?: readonly string[];
  readonly allowOrigin?: readonly string[];
  readonly lenient?: true;
  readonly formats?: 'assert' | 'annotate';
  readonly only?: readonly string[];
  readonly value?: ValueTypes;
}

export const DEFAULT_CONFIG = 'codegen.ts';

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

/** The configuration file that the options name, if they name no contract. */
export function configFile({ config, openapi, schema }: ContractOptions): string | undefined {
  return openapi === undefined && schema === undefined ? (config ?? DEFAULT_CONFIG) : undefined;
}

/**
 * The options of the command line, or those of the configuration file with the origins that the command line allows in addition.
 *
 * @throws CommandFailure when there is neither, or when they conflict
 */
export async function readOptions(options: ContractOptions): Promise<CodegenOptions> {
  const file = configFile(options);
  const { openapi, schema, out, accept, allowOrigin, lenient, formats, only, value: values } = options;
  if (file !== undefined) {
    if ([out, accept, lenient, formats, only, values].some((option) => option !== undefined)) {
      throw usage('--out, --accept, --lenient, --formats, --only and --value go with --openapi or --schema');
    }
    if (options.config === undefined && !existsSync(file)) {
      throw new CommandFailure(
        `${file} does not exist: write one, or name a contract with --openapi or --schema`,
      );
    }
    const config = await readConfig(file);
    if (allowOrigin === undefined) return config;
    return { ...config, allowOrigins: [...(config.allowOrigins ?? []), ...allowOrigin] };
  }
  if (openapi === undefined && [lenient, formats, only].some((option) => option !== undefined)) {
    throw usage('--lenient, --formats and --only go with --openapi');
  }
  const contracts = { ...(openapi !== undefined && { openapi }), ...(schema !== undefined && { schema }) };
  return { ...contracts, ...generatorOptions(options), out: out ?? 'generated' };
}

/** The options of the generator beside the contracts. */
export function generatorOptions({
  accept,
  allowOrigin,
  lenient,
  formats,
  only,
  value: values,
}: ContractOptions): Omit<CodegenOptions, 'openapi' | 'schema' | 'out'> {
  return {
    ...(accept && { accept }),
    ...(allowOrigin && { allowOrigins: allowOrigin }),
    ...(lenient && { lenient }),
    ...(formats && { formats }),
    ...(only && { only }),
    ...(values && { values }),
  };
}

function usage(message: string): CommandFailure {
  return new CommandFailure(message, exitCodes.usage);
}

async function readConfig(file: string): Promise<CodegenOptions> {
  if (!existsSync(file)) throw new CommandFailure(`${file} does not exist`);
  // Node 20 cannot run TypeScript. The cache is off so that a watched configuration is read again.
  const { createJiti } = await import('jiti');
  const generator = await import('../index.js');
  const virtualModules = { concordat: generator };
  const jiti = createJiti(import.meta.url, { moduleCache: false, virtualModules });
  const config = await jiti.import<Partial<ConcordatConfig> | undefined>(resolve(file), { default: true });
  const made = config?.concordat;
  if (made === undefined) throw new CommandFailure(`${file} must export default codegenConfig({ … })`);
  const others = Object.keys(config?.generates ?? {}).filter(
    (path) => !(path in generator.codegenConfig(made).generates),
  );
  if (others.length > 0) {
    throw new CommandFailure(
      `${file} also generates ${others.join(', ')}: run graphql-codegen --config ${file}`,
    );
  }
  return made;
}
