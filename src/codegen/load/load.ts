/** Loads a contract: reads it with all the files it refers to, checks that it is OpenAPI, and bundles it into one document. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type Config,
  type NormalizedProblem,
  type Plugin,
  type Source,
  bundle,
  createConfig,
  isAbsoluteUrl,
  lint,
} from '@redocly/openapi-core';
import { ContractError } from '../problems/contract-error.js';
import { resolvePointer } from '../text/pointer.js';
import { problemOfLint, problemsOfParser } from './lint-problems.js';
import type { OpenApiDocument, PathItem } from './openapi.js';
import { Origins, type Position } from './origins.js';
import type { Remotes } from './remote-documents.js';
import { RemotesResolver } from './remotes.js';

/** Rules that a document must keep to be readable for the generator; rules of style are left out. */
const RULES = {
  struct: 'error',
  'no-unresolved-refs': 'error',
  'no-identical-paths': 'error',
  'path-declaration-must-exist': 'error',
  'operation-operationId-unique': 'error',
  'operation-parameters-unique': 'error',
} as const;

/** Lets schemas have keywords that the linter does not know: the schema compiler decides which are supported. */
const ANY_KEYWORD: NonNullable<Plugin['typeExtension']> = {
  oas3: (types) => ({
    ...types,
    Schema: { ...types['Schema'], properties: types['Schema']?.properties ?? {}, additionalProperties: {} },
  }),
};

/** A contract as one document. */
export interface LoadedContract {
  /** One document whose references all point into itself. */
  readonly document: OpenApiDocument;
  /** The paths of the files that it was read from. */
  readonly files: readonly string[];
  /** Where a place of the document was written. */
  readonly position: (pointer: string) => Position;
}

/**
 * Loads the contract in a file.
 *
 * @param file - path of a YAML or JSON file; it may refer to other files with `$ref`
 * @param remotes - documents by URI, for `$ref`s to them
 * @throws ContractError with every fault, when the file is not an OpenAPI 3.0 or 3.1 document
 */
export async function loadContract(file: string, remotes: Remotes = {}): Promise<LoadedContract> {
  if (!isAbsoluteUrl(file) && !existsSync(file)) {
    throw new ContractError([{ fault: 'missing-file', file, message: 'the file does not exist' }]);
  }
  const origins = new Origins();
  const config = await createConfig({
    rules: RULES,
    decorators: { 'concordat/origins': 'on' },
    plugins: [{ id: 'concordat', typeExtension: ANY_KEYWORD, decorators: origins.decorators }],
  });
  const { document, source, problems, files } = await read(file, config, remotes).catch((error: unknown) => {
    throw new ContractError(problemsOfParser(file, error));
  });
  if (!/^3\.[0-2]\./.test(document.openapi ?? '')) {
    const version = document.openapi ?? document.swagger;
    const found =
      version === undefined ? 'this is not an OpenAPI document' : `OpenAPI ${version} is not supported`;
    throw new ContractError([
      { fault: 'unsupported-version', file, message: `${found}; 3.0, 3.1 and 3.2 are read` },
    ]);
  }
  const faults = problems.filter((problem) => isFault(problem, document));
  if (faults.length > 0) throw new ContractError(faults.map((fault) => problemOfLint(file, fault)));
  // The version has been checked, so the document has its full type.
  const contract = withoutPathReferences(document as OpenApiDocument);
  return { document: contract, files, position: (pointer) => origins.position(source, contract, pointer) };
}

/** A file before its check. */
type Unchecked = Partial<OpenApiDocument> & { readonly swagger?: string };

async function read(
  ref: string,
  config: Config,
  remotes: Remotes,
): Promise<{
  readonly document: Unchecked;
  readonly source: Source;
  readonly problems: readonly NormalizedProblem[];
  readonly files: readonly string[];
}> {
  // One resolver for linting and bundling, so that every file is read and parsed once.
  const externalRefResolver = new RemotesResolver(remotes);
  const problems = await lint({ ref, config, externalRefResolver });
  const { bundle: bundled, problems: unresolved } = await bundle({ ref, config, externalRefResolver });
  return {
    document: bundled.parsed as Unchecked,
    source: bundled.source,
    problems: [...problems, ...unresolved],
    files: [...externalRefResolver.getFiles()]
      .filter((name) => !isAbsoluteUrl(name))
      .map((name) => resolve(name)),
  };
}

/** In 3.1 a boolean is a schema (JSON Schema Core §4.3.2), but the linter does not accept it everywhere. */
function isFault({ severity, message }: NormalizedProblem, { openapi }: Unchecked): boolean {
  const isBooleanSchema = message.startsWith('Expected type `Schema` (object) but got `boolean`');
  return severity === 'error' && !(isBooleanSchema && openapi?.startsWith('3.0.') === false);
}

/**
 * A path item may hold fields beside its `$ref` (Path Item Object). The two are then merged, and the path item's own
 * fields win.
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
