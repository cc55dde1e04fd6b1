/** Starts openapi-backend for a document that was checked already, of OpenAPI 3.0 or 3.1. */

import { fullFormats } from 'ajv-formats/dist/formats.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type Document, OpenAPIBackend, type Options } from 'openapi-backend';

/** @param dialect the schema language of the document: `draft-7` is what openapi-backend speaks by itself */
export async function startBackend(
  definition: Document,
  dialect: '2020-12' | 'draft-7',
  options: Pick<Options, 'validate'> = {},
): Promise<OpenAPIBackend> {
  const backend = new OpenAPIBackend({
    ...options,
    definition,
    // Its own check of documents knows only OpenAPI 3.0.
    quick: true,
    coerceTypes: true,
    ignoreTrailingSlashes: false,
    customizeAjv: (original, ajvOptions) => {
      if (dialect === 'draft-7') return original;
      // OpenAPI 3.1 is JSON Schema 2020-12; the types know only the class for Draft 7, whose methods this one has.
      // eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment
      return new Ajv2020({
        ...(ajvOptions as object),
        strict: false,
        // 19.99 / 0.01 is not whole in binary fractions; six decimals of it are.
        multipleOfPrecision: 6,
        formats: { ...original.formats, ...fullFormats },
      });
    },
  });
  await backend.init();
  // It would make the list anew several times a request.
  const operations = backend.router.getOperations();
  backend.router.getOperations = () => operations;
  return backend;
}
