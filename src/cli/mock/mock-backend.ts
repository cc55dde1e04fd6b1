/** Runs openapi-backend over any contract that the generator reads: finds operations, checks requests, makes answers. */

import { fullFormats } from 'ajv-formats/dist/formats.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type Document, OpenAPIBackend } from 'openapi-backend';
import { loadContract } from '../../codegen/load.js';
import type { OpenApiDocument, PathItem } from '../../codegen/openapi.js';
import { CommandFailure } from '../command-failure.js';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

/**
 * @param validate whether requests will be checked
 * @throws an error with a line for each fault of the contract, and its place
 */
export async function mockBackend(contract: string, validate: boolean): Promise<OpenAPIBackend> {
  const document = await loadContract(contract);
  const backend = new OpenAPIBackend({
    definition: withOperationIds(document) as unknown as Document,
    // Its own check of documents knows only OpenAPI 3.0; the loader has checked this one.
    quick: true,
    validate,
    coerceTypes: true,
    ignoreTrailingSlashes: false,
    customizeAjv: (original, options) => {
      if (document.openapi.startsWith('3.0.')) return original;
      // OpenAPI 3.1 is JSON Schema 2020-12; the types know only the class for Draft 7, whose methods this one has.
      // eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment
      return new Ajv2020({
        ...(options as object),
        strict: false,
        multipleOfPrecision: 6,
        formats: { ...original.formats, ...fullFormats },
      });
    },
  });
  await backend.init();
  // It would make the list anew several times a request.
  const operations = backend.router.getOperations();
  if (operations.length === 0) throw new CommandFailure(`${contract} has no operation to mock`);
  backend.router.getOperations = () => operations;
  return backend;
}

/** Answers are asked for by operationId, which a contract need not have. */
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
