/** Reads a GraphQL schema in SDL, and reports all its faults. */

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Source,
  buildASTSchema,
  parse,
  validateSchema,
} from 'graphql';
// `graphql` itself does not export this function, which keeps the positions of errors; building a schema loses them.
import { validateSDL } from 'graphql/validation/validate.js';
import { ContractError } from '../problems/contract-problem.js';
import type { FaultKind } from '../problems/fault.js';
import { supportedDocument } from './unsupported-directives.js';

/**
 * @param file - path of a schema in SDL
 * @param accept - unsupported features that the team has read and accepts
 * @throws ContractError with every fault of parsing, or else of the rules for type system documents, or else of the rules
 *   for schemas (GraphQL October 2021, sections 2 and 3)
 */
export async function readSchema(file: string, accept: readonly string[] = []): Promise<GraphQLSchema> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const message = existsSync(file) ? String(error) : 'the file does not exist';
    throw new ContractError([{ fault: 'missing-file', file, message }]);
  });
  const document = supportedDocument(parsed(new Source(text, file)), file, accept);
  refuse(file, 'invalid-schema', validateSDL(document));
  const schema = buildASTSchema(document, { assumeValidSDL: true });
  refuse(file, 'invalid-schema', validateSchema(schema));
  return schema;
}

function parsed(source: Source): DocumentNode {
  try {
    if (source.body.trim() === '') throw new GraphQLError('it is empty', { source, positions: [0] });
    return parse(source);
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    refuse(source.name, 'invalid-syntax', [error]);
    throw error;
  }
}

function refuse(file: string, fault: FaultKind, errors: readonly GraphQLError[]): void {
  if (errors.length === 0) return;
  throw new ContractError(
    errors.map(({ message, locations }) => {
      const [place] = locations ?? [];
      return { fault, file, ...(place && { line: place.line, column: place.column }), message };
    }),
  );
}
