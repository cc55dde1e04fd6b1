/** Creates the configuration of `concordat` and graphql-codegen, for either contract or both. */

import { dirname, join } from 'node:path';
import type { CodegenPlugin, Types } from '@graphql-codegen/plugin-helpers';
import { describeNotice } from '../contract/problems/contract-problem.js';
import { type GenerateOptions, generateFrom } from './generate.js';
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
  readonly generates: Record<string, object>;
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
  const { openapi, schema, out } = options;
  if (openapi === undefined && schema === undefined) {
    throw new Error('codegenConfig: name an openapi document, a GraphQL schema, or both');
  }
  return {
    concordat: options,
    schema: typeof schema === 'object' ? [...schema] : (schema ?? NO_SCHEMA),
    generates: {
      [join(out, '/')]: {
        preset,
        presetConfig: options,
        // A contract may consist of several files, so all of them are watched.
        watchPattern: openapi === undefined ? [] : join(dirname(openapi), '**/*.{yaml,yml,json}'),
      },
    },
  } satisfies Types.Config & ConcordatConfig;
}

/** Writes the text that it is given; the files have already been generated together. */
const textPlugin: CodegenPlugin<{ readonly text: string }> = {
  plugin: (_schema, _documents, { text }) => text,
};

/** Generates all files, or throws an error that names every problem. */
const preset: Types.OutputPreset<CodegenOptions> = {
  async buildGeneratesSection({ presetConfig, ...options }) {
    const { files, notices } = await generateFrom(presetConfig, progressLine('Compiling checks'));
    for (const notice of notices) process.stderr.write(`${describeNotice(notice)}\n`);
    return Object.entries(files).map(([name, text]) => ({
      ...options,
      filename: join(options.baseOutputDir, name),
      plugins: [{ text: { text } }],
      pluginMap: { text: textPlugin },
    }));
  },
};
