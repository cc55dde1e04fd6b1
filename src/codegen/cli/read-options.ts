/** Reads the contracts and options of a command, from its command line or from a configuration file. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { CommandFailure, exitCodes } from '@concordat/runtime/terminal';
import type { ValueTypes } from '../contract/model/value-types.js';
import type { CodegenOptions, ConcordatConfig } from '../generator/config.js';

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
const DEFAULT_OUT = 'generated';

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
  return {
    ...(openapi !== undefined && { openapi }),
    ...(schema !== undefined && { schema }),
    ...(accept && { accept }),
    ...(allowOrigin && { allowOrigins: allowOrigin }),
    ...(lenient && { lenient }),
    ...(formats && { formats }),
    ...(only && { only }),
    ...(values && { values }),
    out: out ?? DEFAULT_OUT,
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
