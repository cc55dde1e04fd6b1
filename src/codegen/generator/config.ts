/** Creates the configuration of `concordat` and graphql-codegen, for either contract or both. */

import { dirname, join } from 'node:path';
import type { CodegenPlugin, Types } from '@graphql-codegen/plugin-helpers';
import type { GenerateOptions } from './generate.js';
import { sdlPlugin, typesPlugin } from './graphql/graphql-files.js';
import { SCHEMA_CONFIG } from './graphql/resolver-options.js';
import { type OpenapiFilesOptions, openapiFiles } from './openapi-files.js';
import { describeNotice } from '../contract/problems/contract-problem.js';
import { acceptancesOf } from '../contract/problems/features.js';
import { progressLine } from './progress-line.js';

/** The options of the generator. */
export interface CodegenOptions extends GenerateOptions {
  /** The directory that the files are written to; the generator must be the only writer. */
  readonly out: string;
}

/** A configuration of graphql-codegen that also carries the options for `concordat`. */
export interface ConcordatConfig {
  readonly concordat: CodegenOptions;
  // The fields of graphql-codegen. Its own types are not used, because they compile only with `skipLibCheck`.
  readonly schema: string | string[];
  readonly config: typeof SCHEMA_CONFIG;
  readonly generates: Record<string, object>;
  readonly pluginLoader: (name: string) => Promise<object>;
}

/** graphql-codegen requires a schema; this one is used when a team has none. */
const NO_SCHEMA = 'type Query { nothing: Boolean }';

/**
 * The whole configuration of the generator. Paths are relative to the working directory.
 *
 * @returns a configuration for `concordat generate`, and for `graphql-codegen --config codegen.ts`
 * @throws when neither contract is named
 *
 * @example
 * ```ts
 * // codegen.ts
 * import { codegenConfig } from 'concordat';
 *
 * export default codegenConfig({ openapi: 'openapi.yaml', schema: 'schema.graphql', out: 'generated' });
 * ```
 */
export function codegenConfig(options: CodegenOptions): ConcordatConfig {
  const { openapi, schema, out, resolvers, lenient, formats, remotes, allowOrigins, only, values, problems } =
    options;
  const { importExtension, document } = options;
  if (openapi === undefined && schema === undefined) {
    throw new Error('codegenConfig: name an openapi document, a GraphQL schema, or both');
  }
  const accepted = acceptancesOf(options);
  const generates: Types.Config['generates'] = {};
  if (openapi !== undefined) {
    generates[join(out, '/')] = {
      preset: restPreset,
      presetConfig: {
        openapi,
        accept: accepted.openapi,
        lenient,
        formats,
        remotes,
        allowOrigins,
        only,
        values,
        problems,
        importExtension,
        document,
      },
      // A contract may consist of several files, so all of them are watched.
      watchPattern: join(dirname(openapi), '**/*.{yaml,yml,json}'),
    };
  }
  if (schema !== undefined) {
    generates[join(out, 'graphql.ts')] = {
      plugins: ['types'],
      config: { ...resolvers, others: { values } },
    };
    generates[join(out, 'schema.ts')] = { plugins: ['sdl'], config: { accept: accepted.schema } };
  }
  return {
    concordat: options,
    schema: typeof schema === 'object' ? [...schema] : (schema ?? NO_SCHEMA),
    config: SCHEMA_CONFIG,
    generates,
    pluginLoader: loadPlugin,
  } satisfies Types.Config & ConcordatConfig;
}

/** Loads our own plugins by name, and any other as a package. */
async function loadPlugin(name: string): Promise<CodegenPlugin> {
  if (name === '@graphql-codegen/sdl') return sdlPlugin;
  if (name === '@graphql-codegen/types') return typesPlugin;
  return (await import(name)) as CodegenPlugin;
}

/** Writes the text that it is given; the files have already been generated together. */
const textPlugin: CodegenPlugin<{ readonly text: string }> = {
  plugin: (_schema, _documents, { text }) => text,
};

/** Generates all files of one contract, or throws an error that names every problem. */
const restPreset: Types.OutputPreset<OpenapiFilesOptions> = {
  async buildGeneratesSection({ presetConfig, ...options }) {
    const { files, notices } = await openapiFiles({
      ...presetConfig,
      progress: progressLine('Compiling checks'),
    });
    for (const notice of notices) process.stderr.write(`${describeNotice(notice)}\n`);
    return Object.entries(files).map(([name, text]) => ({
      ...options,
      filename: join(options.baseOutputDir, name),
      plugins: [{ text: { text } }],
      pluginMap: { text: textPlugin },
    }));
  },
};
