/** Starts openapi-backend for an OpenAPI 3.0, 3.1 or 3.2 document that has already been checked. */

import { fullFormats } from 'ajv-formats/dist/formats.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type Document, OpenAPIBackend, type Options } from 'openapi-backend';

/** @param dialect the schema language of the document; `draft-7` is the default of openapi-backend */
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
      // OpenAPI 3.1 uses JSON Schema 2020-12. The types allow only the class for Draft 7, which has the same methods.
      return new Ajv2020({
        ...(ajvOptions as object),
        strict: false,
        // 19.99 / 0.01 is not an integer in floating point, but it is when rounded to six decimals.
        multipleOfPrecision: 6,
        formats: { ...original.formats, ...fullFormats },
      });
    },
  });
  await backend.init();
  // The router would rebuild the list several times per request.
  const operations = backend.router.getOperations();
  backend.router.getOperations = () => operations;
  return backend;
}
