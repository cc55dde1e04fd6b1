/** Loads a contract: reads it with all the files it refers to, checks that it is OpenAPI, makes it one document. */

import { type NormalizedProblem, bundle, createConfig, lint } from '@redocly/openapi-core';
import type { OpenApiDocument } from './openapi.js';

/** What makes a document unreadable for a generator; style is its author's business. */
const RULES = {
  struct: 'error',
  'no-unresolved-refs': 'error',
  'no-identical-paths': 'error',
  'path-declaration-must-exist': 'error',
  'path-parameters-defined': 'error',
  'operation-operationId-unique': 'error',
  'operation-parameters-unique': 'error',
} as const;

/**
 * The contract in a file, as one document whose references all point into itself.
 *
 * @param file - path of a YAML or JSON file; other files may be tied to it by `$ref`
 * @throws an error with a line for each fault and its place, when the file is no OpenAPI 3.0 or 3.1 document
 */
export async function loadContract(file: string): Promise<OpenApiDocument> {
  const config = await createConfig({ rules: RULES });
  const problems = await lint({ ref: file, config });
  const { bundle: bundled, problems: unresolved } = await bundle({ ref: file, config });
  const faults = [...problems, ...unresolved].filter(({ severity }) => severity === 'error');
  if (faults.length > 0) {
    throw new Error([`${file} is not a valid contract:`, ...new Set(faults.map(describe))].join('\n'));
  }
  const document = bundled.parsed as OpenApiDocument;
  if (!/^3\.[01]\./.test(document.openapi)) {
    throw new Error(`${file}: OpenAPI ${document.openapi} is not supported; 3.0 and 3.1 are`);
  }
  return document;
}

function describe({ message, location }: NormalizedProblem): string {
  const [place] = location;
  return `  ${place?.source.absoluteRef ?? ''} ${place?.pointer ?? ''}: ${message}`;
}
