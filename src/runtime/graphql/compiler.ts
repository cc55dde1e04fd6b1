/** The port of a query compiler: it turns a query into a function that runs faster than interpreting the query. */

import type { DocumentNode, ExecutionResult, GraphQLSchema } from 'graphql';
import type { Variables } from './parameters.js';

/**
 * A query as a function. A result that has errors is discarded, and the query is interpreted instead. So a compiler need
 * not agree with `graphql` on errors, nor on how null propagates from them.
 */
export type CompiledQuery = (
  context: unknown,
  variables: Variables | undefined,
) => ExecutionResult | Promise<ExecutionResult>;

/**
 * @returns undefined for a query that this compiler cannot serve exactly as `graphql` does
 */
export type QueryCompiler = (
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
) => CompiledQuery | undefined;
