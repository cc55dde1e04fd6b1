/** Makes the configuration that graphql-codegen runs with, for either contract or both. */

import { dirname, join } from 'node:path';
import type { CodegenConfig } from '@graphql-codegen/cli';
import type { CodegenPlugin } from '@graphql-codegen/plugin-helpers';
import type { TypeScriptResolversPluginConfig } from '@graphql-codegen/typescript-resolvers';
import { restPreset } from './rest-preset.js';
import { withRequiredResolvers } from './write/required-resolvers.js';
import { sdlPlugin } from './write/sdl-plugin.js';

/** What a team tells the generator. */
export interface CodegenOptions {
  /** Path of an OpenAPI 3.0 or 3.1 document, YAML or JSON; other files may be tied to it by `$ref`. */
  readonly openapi?: string;
  /** Path of a GraphQL schema in SDL. */
  readonly schema?: string;
  /** The directory that the files are written to; it is the generator's alone. */
  readonly out: string;
  /**
   * Gaps between the contract and the generator that the team has read and accepts, by code
   * (`callbacks`) or by code and place (`callbacks at #/paths/~1a/post/callbacks`).
   */
  readonly accept?: readonly string[];
  /** Options of the resolver signatures, such as `contextType` and `mappers`. */
  readonly resolvers?: TypeScriptResolversPluginConfig;
}

/** What the resolver signatures need under strict settings. */
const RESOLVER_DEFAULTS: TypeScriptResolversPluginConfig = { useTypeImports: true };

/** graphql-codegen insists on a schema; teams without one get this. */
const NO_SCHEMA = 'type Query { nothing: Boolean }';

/**
 * The whole configuration of the generator.
 *
 * @returns a configuration for `graphql-codegen --config codegen.ts`, with `--check` and `--watch`
 * @throws when neither contract is named
 *
 * @example
 * ```ts
 * // codegen.ts
 * import { codegenConfig } from 'concordat/codegen';
 *
 * export default codegenConfig({ openapi: 'openapi.yaml', schema: 'schema.graphql', out: 'generated' });
 * ```
 */
export function codegenConfig({
  openapi,
  schema,
  out,
  accept = [],
  resolvers,
}: CodegenOptions): CodegenConfig {
  if (openapi === undefined && schema === undefined) {
    throw new Error('codegenConfig: name an openapi document, a GraphQL schema, or both');
  }
  const generates: CodegenConfig['generates'] = {};
  if (openapi !== undefined) {
    generates[join(out, '/')] = {
      preset: restPreset,
      presetConfig: { openapi, accept },
      // A contract of several files changes in any of them.
      watchPattern: join(dirname(openapi), '**/*.{yaml,yml,json}'),
    };
  }
  if (schema !== undefined) {
    generates[join(out, 'graphql.ts')] = {
      plugins: ['typescript', 'typescript-resolvers'],
      config: { ...RESOLVER_DEFAULTS, ...resolvers },
    };
    generates[join(out, 'schema.ts')] = { plugins: ['sdl'] };
  }
  return {
    schema: schema ?? NO_SCHEMA,
    // The schema in its author's order.
    config: { sort: false },
    generates,
    pluginLoader: loadPlugin,
  };
}

/** Our plugins by name; every other is a package. */
async function loadPlugin(name: string): Promise<CodegenPlugin> {
  if (name === '@graphql-codegen/sdl') return sdlPlugin;
  const plugin = (await import(name)) as CodegenPlugin;
  return name === '@graphql-codegen/typescript-resolvers' ? withRequiredResolvers(plugin) : plugin;
}
