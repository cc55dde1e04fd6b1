/** Loads a contract: reads it with all the files it refers to, checks that it is OpenAPI, makes it one document. */

import { existsSync } from 'node:fs';
import {
  type Config,
  type NormalizedProblem,
  type Plugin,
  bundle,
  createConfig,
  lint,
} from '@redocly/openapi-core';
import { describeFault, oneLine } from './fault.js';
import type { OpenApiDocument, PathItem } from './openapi.js';
import { resolvePointer } from './schemas/pointer.js';

/** What makes a document unreadable for a generator; style is its author's business. */
const RULES = {
  struct: 'error',
  'no-unresolved-refs': 'error',
  'no-identical-paths': 'error',
  'path-declaration-must-exist': 'error',
  'operation-operationId-unique': 'error',
  'operation-parameters-unique': 'error',
} as const;

/** Lets schemas have keywords that the linter does not know: which of them are supported is the schema compiler's to say. */
const ANY_KEYWORD: Plugin = {
  id: 'concordat',
  typeExtension: {
    oas3: (types) => ({
      ...types,
      Schema: { ...types['Schema'], properties: types['Schema']?.properties ?? {}, additionalProperties: {} },
    }),
  },
};

/** How the linter begins where a document is empty, a list or a text; what it then says of the type is often wrong. */
const NO_OBJECT = 'Document must be JSON object';

/**
 * The contract in a file, as one document whose references all point into itself.
 *
 * @param file - path of a YAML or JSON file; other files may be tied to it by `$ref`
 * @throws an error with a line for each fault and its place, when the file is no OpenAPI 3.0 or 3.1 document
 */
export async function loadContract(file: string): Promise<OpenApiDocument> {
  const config = await createConfig({ rules: RULES, plugins: [ANY_KEYWORD] });
  if (!/^https?:/.test(file) && !existsSync(file)) throw new Error(`${file} is not there`);
  const { document, problems } = await read(file, config).catch((error: unknown) => {
    const message = oneLine(error instanceof Error ? error.message : String(error));
    throw invalidContract(file, [
      message.startsWith(NO_OBJECT) ? 'it must be an object that has `openapi`' : message,
    ]);
  });
  if (!/^3\.[01]\./.test(document.openapi ?? '')) {
    const version = document.openapi ?? document.swagger;
    const found =
      version === undefined ? 'this is no OpenAPI document' : `OpenAPI ${version} is not supported`;
    throw new Error(`${file}: ${found}; 3.0 and 3.1 are read`);
  }
  const faults = problems.filter((problem) => isFault(problem, document));
  if (faults.length > 0) throw invalidContract(file, faults.map(describeFault));
  // The version that was missing until here is there.
  return withoutPathReferences(document as OpenApiDocument);
}

/** What a file may turn out to be. */
type Unchecked = Partial<OpenApiDocument> & { readonly swagger?: string };

async function read(
  ref: string,
  config: Config,
): Promise<{ readonly document: Unchecked; readonly problems: readonly NormalizedProblem[] }> {
  const problems = await lint({ ref, config });
  const { bundle: bundled, problems: unresolved } = await bundle({ ref, config });
  return { document: bundled.parsed as Unchecked, problems: [...problems, ...unresolved] };
}

/** A boolean is a schema in 3.1 (JSON Schema Core §4.3.2), which the linter does not know at every place. */
function isFault({ severity, message }: NormalizedProblem, { openapi }: Unchecked): boolean {
  const isBooleanSchema = message.startsWith('Expected type `Schema` (object) but got `boolean`');
  return severity === 'error' && !(isBooleanSchema && openapi?.startsWith('3.1.'));
}

/**
 * A path item may hold fields beside its `$ref` (Path Item Object). Where it does, the two become one object, in which
 * the path item's own fields win.
 */
function withoutPathReferences(document: OpenApiDocument): OpenApiDocument {
  const merged = (items: OpenApiDocument['paths'] = {}) =>
    Object.fromEntries(
      Object.entries(items).map(([path, item]) => {
        const { $ref, ...own } = item as PathItem & { readonly $ref?: string };
        if ($ref === undefined || Object.keys(own).length === 0) return [path, item];
        return [path, { ...(resolvePointer(document, $ref) as PathItem), ...own }];
      }),
    );
  return {
    ...document,
    ...(document.paths && { paths: merged(document.paths) }),
    ...(document.webhooks && { webhooks: merged(document.webhooks) }),
  };
}

/** What is thrown for a contract with faults, one sentence each. */
export function invalidContract(file: string, faults: readonly string[]): Error {
  const lines = [...new Set(faults)].map((fault) => `  ${fault}`);
  return new Error([`${file} is not a valid contract:`, ...lines].join('\n'));
}
