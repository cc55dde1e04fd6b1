/** The port of a compiler: something that makes a function of a query, where running it is faster than interpreting it. */

import type { DocumentNode, ExecutionResult, GraphQLSchema } from 'graphql';
import type { Variables } from './parameters.js';

/**
 * A query as a function. A result that has errors is thrown away, and the query is interpreted instead: so a compiler
 * need not agree with `graphql` on errors and on what null does around them.
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
