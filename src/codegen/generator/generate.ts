/** Generates the code of contracts, in memory. */

import { resolve } from 'node:path';
import type { GraphqlFilesOptions } from './graphql/graphql-files.js';
import type { ResolverOptions, SchemaFiles } from './graphql/resolver-options.js';
import { type Generated, type OpenapiFilesOptions, openapiFiles } from './openapi-files.js';
import { ContractError, type ContractNotice } from '../contract/problems/contract-problem.js';
import { acceptancesOf } from '../contract/problems/features.js';

/** The contracts, and the options of the generator. */
export interface GenerateOptions extends Omit<OpenapiFilesOptions, 'openapi' | 'progress'> {
  /** Path of an OpenAPI 3.0, 3.1 or 3.2 document, YAML or JSON; it may refer to other files with `$ref`. */
  readonly openapi?: string;
  /** Path of a GraphQL schema in SDL, or of a schema and the files that extend it, in a list. */
  readonly schema?: SchemaFiles;
  /** Called with each notice: a remark about the OpenAPI document that does not stop generation. */
  readonly notice?: (notice: ContractNotice) => void;
  /** Options of the resolver signatures, such as `contextType` and `mappers`. */
  readonly resolvers?: ResolverOptions;
}

/**
 * The text of each generated file by its name: `routing.ts`, `operations.ts`, `openapi.ts`, `validators.ts`,
 * `response-validators.ts` and `surplus.ts` for an OpenAPI document, `graphql.ts` and `schema.ts` for a GraphQL schema.
 * Nothing is written.
 *
 * @throws ContractError with every problem of both contracts
 *
 * @example
 * ```ts
 * import { writeFile } from 'node:fs/promises';
 * import { generate } from 'concordat';
 *
 * const files = await generate({ openapi: 'openapi.yaml', schema: 'schema.graphql' });
 * for (const [name, text] of Object.entries(files)) await writeFile(`generated/${name}`, text);
 * ```
 */
export async function generate(options: GenerateOptions): Promise<Readonly<Record<string, string>>> {
  return (await generateFrom(options)).files;
}

/** Like {@link generate}, and also returns the notices and the paths of the files that were read. */
export async function generateFrom(
  { openapi, schema, accept = [], resolvers, notice = () => undefined, ...options }: GenerateOptions,
  progress?: OpenapiFilesOptions['progress'],
): Promise<Generated> {
  if (openapi === undefined && schema === undefined)
    throw new Error('generate: name an openapi document, a GraphQL schema, or both');
  const accepted = acceptancesOf({ accept, ...(openapi && { openapi }), ...(schema && { schema }) });
  const { values } = options;
  const results = await Promise.allSettled([
    openapi === undefined
      ? NOTHING
      : openapiFiles({ openapi, accept: accepted.openapi, ...options, ...(progress && { progress }) }),
    schema === undefined
      ? NOTHING
      : generatedFromSchema(schema, { accept: accepted.schema, resolvers, values }),
  ]);
  const failures = results
    .filter((result) => result.status === 'rejected')
    .map(({ reason }) => reason as unknown);
  const problems = failures.flatMap((failure) => (failure instanceof ContractError ? failure.problems : []));
  if (problems.length > 0) throw new ContractError(problems);
  if (failures.length > 0) throw failures[0];
  const [rest = NOTHING, graphql = NOTHING] = results
    .filter((result) => result.status === 'fulfilled')
    .map(({ value }) => value);
  for (const each of rest.notices) notice(each);
  return { ...rest, files: { ...rest.files, ...graphql.files }, inputs: [...rest.inputs, ...graphql.inputs] };
}

const NOTHING: Generated = { files: {}, inputs: [], notices: [], operations: { generated: [], left: [] } };

async function generatedFromSchema(schema: SchemaFiles, options: GraphqlFilesOptions): Promise<Generated> {
  const inputs = [schema].flat().map((file) => resolve(file));
  // Its libraries take longer to load than the code of a small OpenAPI document to generate.
  const { graphqlFiles } = await import('./graphql/graphql-files.js');
  return { ...NOTHING, files: await graphqlFiles(schema, options), inputs };
}
