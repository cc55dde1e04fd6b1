/** The OpenAPI half of the generator as a preset of graphql-codegen: it turns one contract into its generated files. */

import { join } from 'node:path';
import type { CodegenPlugin, Types } from '@graphql-codegen/plugin-helpers';
import { type OpenapiFilesOptions, openapiFiles } from './openapi-files.js';
import { describeNotice } from './problems/notice.js';
import { progressLine } from './progress-line.js';

/** Writes the text that it is given; the files have already been generated together. */
const textPlugin: CodegenPlugin<{ readonly text: string }> = {
  plugin: (_schema, _documents, { text }) => text,
};

/** Generates all files of one contract, or throws an error that names every problem. */
export const restPreset: Types.OutputPreset<OpenapiFilesOptions> = {
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
