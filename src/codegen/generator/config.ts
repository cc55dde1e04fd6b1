/** Creates the configuration of `concordat` and graphql-codegen, for either contract or both. */

import { dirname, join } from 'node:path';
import type { CodegenPlugin, Types } from '@graphql-codegen/plugin-helpers';
import { describeNotices } from '../contract/problems/contract-problem.js';
import {
  type ApiConfig,
  type CodegenOptions,
  type ConfigOptions,
  apisOf,
  requireKnownKeys,
} from './config-keys.js';
import { generateFrom } from './generate.js';
import { progressLine } from '@concordat/runtime/terminal';

/** A configuration of graphql-codegen that also carries the options for `concordat`. */
export interface ConcordatConfig {
  readonly concordat: ConfigOptions;
  // The fields of graphql-codegen. Its own types are not used, because they compile only with `skipLibCheck`.
  readonly schema: string | string[];
  readonly generates: Record<string, object>;
}

/** graphql-codegen requires a schema; this one is used when a team has none, or one for each of several APIs. */
const NO_SCHEMA = 'type Query { nothing: Boolean }';

/**
 * The whole configuration of `concordat`. Paths are relative to the working directory.
 *
 * @returns a configuration for all commands of `concordat`, and for `graphql-codegen --config codegen.ts`
 * @throws for an unknown key, a wrong value, and an API without a contract
 *
 * @example
 * ```ts
 * // codegen.ts
 * import { codegenConfig } from 'concordat';
 *
 * export default codegenConfig({ openapi: 'openapi.yaml', schema: 'schema.graphql', out: 'generated' });
 * ```
 */
export function codegenConfig(options: ConfigOptions): ConcordatConfig {
  try {
    requireKnownKeys(options);
  } catch (error) {
    throw new Error(`codegenConfig: ${(error as Error).message}`, { cause: error });
  }
  const schema = 'apis' in options ? undefined : options.schema;
  return {
    concordat: options,
    schema: typeof schema === 'object' ? [...schema] : (schema ?? NO_SCHEMA),
    generates: Object.fromEntries(apisOf(options).map(({ own, shared }) => outputOf({ ...shared, ...own }))),
  } satisfies Types.Config & ConcordatConfig;
}

/** A folder of graphql-codegen's `generates`. */
function outputOf(options: ApiConfig): readonly [string, object] {
  const { openapi, schema = [], out } = options;
  const watchPattern = [
    ...[schema].flat(),
    // A contract may consist of several files, so all of them are watched.
    ...(openapi === undefined ? [] : [join(dirname(openapi), '**/*.{yaml,yml,json}')]),
  ];
  return [join(out, '/'), { preset, presetConfig: options, watchPattern }];
}

/** Writes the text that it is given; the files have already been generated together. */
const textPlugin: CodegenPlugin<{ readonly text: string }> = {
  plugin: (_schema, _documents, { text }) => text,
};

/** Generates all files, or throws an error that names every problem. */
const preset: Types.OutputPreset<CodegenOptions> = {
  async buildGeneratesSection({ presetConfig, ...options }) {
    const { files, notices } = await generateFrom(presetConfig, progressLine('Compiling checks'));
    for (const line of describeNotices(notices)) process.stderr.write(`${line}\n`);
    return Object.entries(files).map(([name, text]) => ({
      ...options,
      filename: join(options.baseOutputDir, name),
      plugins: [{ text: { text } }],
      pluginMap: { text: textPlugin },
    }));
  },
};
