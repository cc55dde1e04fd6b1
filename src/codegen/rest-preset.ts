/** The OpenAPI half of the generator, as a preset of graphql-codegen: one contract in, its generated files out. */

import { join } from 'node:path';
import type { CodegenPlugin, Types } from '@graphql-codegen/plugin-helpers';
import { type OpenapiFilesOptions, openapiFiles } from './openapi-files.js';
import { progressLine } from './progress-line.js';

/** Writes the text that it is handed; the work is done once for all files, before. */
const textPlugin: CodegenPlugin<{ readonly text: string }> = {
  plugin: (_schema, _documents, { text }) => text,
};

/** One run over one contract: all its files, or an error that names every problem. */
export const restPreset: Types.OutputPreset<OpenapiFilesOptions> = {
  async buildGeneratesSection({ presetConfig, ...options }) {
    const { files } = await openapiFiles({ ...presetConfig, progress: progressLine('Compiling checks') });
    return Object.entries(files).map(([name, text]) => ({
      ...options,
      filename: join(options.baseOutputDir, name),
      plugins: [{ text: { text } }],
      pluginMap: { text: textPlugin },
    }));
  },
};
