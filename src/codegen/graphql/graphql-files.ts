/** The generated files of a GraphQL schema: types and resolver signatures by graphql-codegen's plugins, and the SDL. */

import { codegen } from '@graphql-codegen/core';
import { getCachedDocumentNodeFromSchema } from '@graphql-codegen/plugin-helpers';
import * as typescript from '@graphql-codegen/typescript';
import * as resolversPlugin from '@graphql-codegen/typescript-resolvers';
import { ContractError } from '../problems/contract-error.js';
import { readSchema } from './read-schema.js';
import { withRequiredResolvers } from './required-resolvers.js';
import type { ResolverOptions } from './resolver-options.js';
import type { ValueTypes } from '../values/value-types.js';
import { withScalarTypes } from './scalar-types.js';
import { sdlFile } from './sdl-file.js';

/** The options that resolver signatures need under strict compiler settings. */
export const RESOLVER_DEFAULTS: ResolverOptions = { useTypeImports: true, defaultScalarType: 'unknown' };

/** The schema in its author's order. */
export const SCHEMA_CONFIG = { sort: false } as const;

export interface GraphqlFilesOptions {
  readonly resolvers?: ResolverOptions;
  /** Unsupported features that the team has read and accepts. */
  readonly accept?: readonly string[];
  /** The types of custom scalars. */
  readonly values?: ValueTypes;
}

/** @throws ContractError with every problem of the schema */
export async function graphqlFiles(
  file: string,
  { resolvers = {}, accept = [], values = {} }: GraphqlFilesOptions = {},
): Promise<Readonly<Record<string, string>>> {
  const schema = await readSchema(file, accept);
  const text = await codegen({
    filename: 'graphql.ts',
    schema: getCachedDocumentNodeFromSchema(schema),
    schemaAst: schema,
    documents: [],
    config: { ...SCHEMA_CONFIG, ...RESOLVER_DEFAULTS, ...withScalarTypes(resolvers, values) },
    plugins: [{ typescript: {} }, { 'typescript-resolvers': {} }],
    pluginMap: { typescript, 'typescript-resolvers': withRequiredResolvers(resolversPlugin) },
  }).catch((error: unknown) => {
    // A plugin throws when an option of the resolvers does not fit the schema.
    const message = error instanceof Error ? error.message.trim() : String(error);
    throw new ContractError([{ fault: 'generator-failure', file, message }]);
  });
  return { 'graphql.ts': text, 'schema.ts': sdlFile(schema) };
}
