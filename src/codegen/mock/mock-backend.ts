/** Runs openapi-backend over any contract that the generator reads: finds operations, checks requests, makes answers. */

import type { Document, OpenAPIBackend } from 'openapi-backend';
import { loadContract } from '../load/load.js';
import { METHODS, type OpenApiDocument, type PathItem } from '../load/openapi.js';
import { CommandFailure } from 'concordat/terminal';
import { withoutForeignReferences } from './example-references.js';
import { olderDocument } from './older-document.js';
import { mockableSchema } from './mockable-schema.js';
import { startBackend } from './start-backend.js';

/**
 * @param validate whether requests will be checked
 * @throws an error with a line for each fault of the contract, and its place
 */
export async function mockBackend(contract: string, validate: boolean): Promise<OpenAPIBackend> {
  const { document } = await loadContract(contract);
  const dialect = document.openapi.startsWith('3.0.') ? 'draft-7' : '2020-12';
  const definition = withoutForeignReferences(withOperationIds(olderDocument(document))) as Document;
  const backend = await startBackend(definition, dialect, { validate });
  if (backend.router.getOperations().length === 0)
    throw new CommandFailure(`${contract} has no operation to mock`);
  for (const { responses } of backend.router.getOperations()) withMockableSchemas(responses);
  return backend;
}

/** Changes the responses in place: this backend owns the operations, and the schemas of responses check no requests. */
function withMockableSchemas(responses: unknown): void {
  for (const { content } of Object.values((responses ?? {}) as Readonly<Record<string, MockedResponse>>)) {
    for (const media of Object.values(content ?? {})) media.schema = mockableSchema(media.schema);
  }
}

interface MockedResponse {
  readonly content?: Readonly<Record<string, { schema?: unknown }>>;
}

/** Adds missing operationIds, because answers are looked up by them. */
function withOperationIds(document: OpenApiDocument): OpenApiDocument {
  const paths = Object.entries((document.paths ?? {}) as Readonly<Record<string, PathItem>>).map(
    ([path, item]) => {
      const operations = METHODS.flatMap((method) => {
        const operation = item[method];
        const named = { operationId: `${method} ${path}`, ...operation };
        return operation === undefined ? [] : [[method, named] as const];
      });
      return [path, { ...item, ...Object.fromEntries(operations) }] as const;
    },
  );
  return { ...document, paths: Object.fromEntries(paths) };
}
