/** Loads a contract: reads it with all the files it refers to, checks that it is OpenAPI, and bundles it into one document. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type Config,
  type NormalizedProblem,
  type Source,
  bundle,
  createConfig,
  isAbsoluteUrl,
  lint,
} from '@redocly/openapi-core';
import {
  componentNames,
  nameByComponents,
  renameAdded,
  withMediaTypes,
  withoutPathReferences,
  writeVersion,
} from './bundled-document.js';
import { DOCUMENT_TYPES, STRUCTURE_RULES, structureRules } from './linter-rules.js';
import {
  ContractError,
  type ContractProblem,
  type Fault,
  type Position,
} from '../problems/contract-problem.js';
import { valueAt } from '../../text/pointer.js';
import type { OperationChoice } from '@concordat/runtime/parts';
import { type LeftOperation, type LeftPlace, chosenPart } from './chosen-part.js';
import { endlessExpansion, RemotesResolver } from './document-resolver.js';
import { FetchedDocuments } from './fetched-documents.js';
import { removeInvalidTexts, withPathParameters } from './harmless-faults.js';
import { linkSchemas } from './links/link-schemas.js';
import { isIdlyUnresolved, problemOfLint, problemsOfParser } from './lint-problems.js';
import { type OpenApiDocument, isReference, type Remotes } from '../schemas/document.js';
import { Origins } from './origins.js';
import { OverlayPlaces, applyOverlays, layersOf } from './overlay.js';
import { expandStoredFields } from './stored-fields.js';
import { upgraded } from './upgrade.js';

const PLUGIN = { id: 'concordat', typeExtension: DOCUMENT_TYPES, rules: structureRules } as const;

/** The rules that a document must follow to be read by the generator; style rules are left out. */
const RULES = {
  struct: 'error',
  'no-unresolved-refs': 'error',
  'path-declaration-must-exist': 'error',
  'operation-parameters-unique': 'error',
  'spec-querystring-parameters': 'error',
  'spec-no-invalid-tag-parents': 'error',
  ...STRUCTURE_RULES,
} as const;

export interface LoadedContract {
  /** One document whose references all point into itself, with schemas of 3.1 even if its author wrote those of 3.0. */
  readonly document: OpenApiDocument;
  /** The same document with the schemas as they are written. */
  readonly written: OpenApiDocument;
  /** The operations that `only` and `except` leave out. */
  readonly left: readonly LeftOperation[];
  readonly files: readonly string[];
  /** Faults that do not change the generated code, or that are repaired; `feature` is the name of each. */
  readonly harmless: readonly (ContractProblem & { readonly isNotice?: true })[];
  /** The position at which a place of the document was written. */
  readonly position: (pointer: string) => Position;
}

/** The documents that a contract may refer to in addition to files; `only` and `except` reduce it to some operations. */
export interface LoadOptions extends OperationChoice {
  /** Documents by URI, for `$ref`s to them. */
  readonly remotes?: Remotes | undefined;
  /**
   * The origins, such as `https://example.com`, from which documents are fetched, and the folders, such as `../shared`, from which files are
   * read that are in neither the folder of the contract nor the working directory of a project. Default: none.
   */
  readonly allowOrigins?: readonly string[] | undefined;
  /** The parts of its files that are left out. */
  readonly without?: readonly LeftPlace[] | undefined;
}

/**
 * Loads the contract in a file.
 *
 * @param file - path or web address of a YAML or JSON file; it may refer to other files with `$ref`, and be an overlay that extends
 *   another file
 * @throws ContractError with every fault, when the file is not an OpenAPI document of 3.0, 3.1 or 3.2
 */
export async function loadContract(
  file: string,
  { remotes = {}, allowOrigins = [], only, except, without }: LoadOptions = {},
): Promise<LoadedContract> {
  const fetched = new FetchedDocuments(file, allowOrigins);
  if (!isAbsoluteUrl(file) && !existsSync(file))
    throw new ContractError([{ fault: 'missing-file', file, message: 'the file does not exist' }]);
  const origins = new Origins();
  const config = await createConfig({
    rules: RULES,
    decorators: { 'concordat/origins': 'on' },
    plugins: [{ ...PLUGIN, decorators: origins.decorators }],
  });
  const { document, source, problems, files, places } = await read(
    file,
    config,
    new RemotesResolver(remotes, fetched, without),
  ).catch(async (error: unknown) => {
    // Some rules throw for a document without the structure that they expect.
    const broken = await structureProblems(file, new RemotesResolver(remotes, fetched, without));
    const found = broken
      .filter(({ severity }) => severity === 'error')
      .map((each) => problemOfLint(file, each));
    const faults = found.filter(({ fault }) => fault !== undefined);
    throw new ContractError(faults.length > 0 ? faults : problemsOfParser(file, error));
  });
  if (!/^3\.[0-2]\./.test(document.openapi ?? '')) {
    const version = document.openapi ?? document.swagger;
    const found =
      version === undefined ? 'this is not an OpenAPI document' : `OpenAPI ${version} is not supported`;
    throw new ContractError([
      { fault: 'unsupported-version', file, message: `${found}; 3.0, 3.1 and 3.2 are read` },
    ]);
  }
  const schemaNames = new Set(Object.keys(document.components?.schemas ?? {}));
  const found = problems
    .filter((problem) => isProblem(problem, document, schemaNames, places))
    .map((problem) => problemOfLint(file, problem, places));
  const harmless = found.filter(({ feature }) => feature !== undefined);
  if (harmless.length < found.length)
    throw new ContractError(found.filter(({ fault }) => fault !== undefined));
  // The version has been checked, so the document has its full type.
  const merged = withoutPathReferences(document as OpenApiDocument);
  const { document: contract, undeclared } = withPathParameters(merged, (from, to) =>
    origins.copied(from, to),
  );
  withMediaTypes(contract, (target, place) => origins.note(target, source, place));
  const position = (pointer: string): Position => origins.position(source, contract, pointer, places);
  const refuse = (faults: readonly Fault[]): void => {
    if (faults.length === 0) return;
    throw new ContractError(
      faults.map(({ at, ...problem }) => ({ ...problem, ...position(at), pointer: at })),
    );
  };
  const endless = endlessExpansion(contract);
  if (endless !== undefined) {
    const { at, message } = endless;
    throw new ContractError([{ fault: 'unresolved-reference', ...position(at), pointer: at, message }]);
  }
  refuse(expandStoredFields(contract, (pointer) => places.isOfBase(pointer)));
  if (harmless.length > 0) {
    removeInvalidTexts(contract);
    writeVersion(contract, source);
  }
  const repaired = undeclared.map(({ name, at }): ContractProblem => {
    const message = `the path has {${name}}, which no parameter describes`;
    return { feature: 'undeclared-path-parameter', ...position(at), pointer: at, message };
  });
  const isWhole = only === undefined && except === undefined;
  const whole = { document: contract, left: [], faults: [] };
  const part = isWhole ? whole : chosenPart(contract, { only, except });
  refuse(part.faults);
  const { document: written, left } = part;
  const ignored: ContractProblem[] = [];
  const upgradedDocument = upgraded(written, (at, message) =>
    ignored.push({ feature: 'ignored-keyword', ...position(at), pointer: at, message }),
  );
  const noted = [...harmless, ...repaired, ...ignored];
  return { document: upgradedDocument, written, left, files, harmless: noted, position };
}

/** A document before its check. */
type Unchecked = Partial<OpenApiDocument> & { readonly swagger?: string };

async function read(
  file: string,
  config: Config,
  // One resolver for linting and bundling, so that every file is read and parsed once.
  externalRefResolver: RemotesResolver,
): Promise<{
  readonly document: Unchecked;
  readonly source: Source;
  readonly problems: readonly NormalizedProblem[];
  readonly files: readonly string[];
  readonly places: OverlayPlaces;
}> {
  const layers = await layersOf(file, externalRefResolver);
  const { base: ref } = layers;
  const links = await linkSchemas(ref, externalRefResolver);
  const unapplied = await applyOverlays(layers, externalRefResolver);
  const problems = await lint({ ref, config, externalRefResolver });
  const root = await externalRefResolver.read(ref);
  const own = componentNames(root.value);
  const { overlays } = layers;
  const changed = overlays.length === 0 ? root.value : structuredClone(root.value);
  const places = new OverlayPlaces(overlays, root.source, changed);
  const { bundle: bundled, problems: unresolved } = await bundle({ ref, config, externalRefResolver });
  const document = bundled.parsed as Unchecked;
  renameAdded(document, own);
  nameByComponents(document, own);
  return {
    document,
    source: bundled.source,
    places,
    problems: [...unapplied, ...links, ...problems, ...unresolved],
    files: [...externalRefResolver.getFiles()]
      .filter((name) => !isAbsoluteUrl(name))
      .map((name) => resolve(name)),
  };
}

/** The problems in the structure of a document; empty if it cannot be read at all. */
async function structureProblems(
  ref: string,
  externalRefResolver: RemotesResolver,
): Promise<readonly NormalizedProblem[]> {
  const config = await createConfig({
    rules: { struct: 'error' },
    plugins: [{ id: 'concordat', typeExtension: DOCUMENT_TYPES }],
  });
  return lint({ ref, config, externalRefResolver }).catch(() => []);
}

/** Whether a finding of the linter is a problem of the document. */
function isProblem(
  problem: NormalizedProblem,
  document: Unchecked,
  schemaNames: ReadonlySet<string>,
  places: OverlayPlaces,
): boolean {
  const { severity, message, location } = problem;
  const holder = valueAt(document, location[0]?.pointer ?? '#');
  // The linter skips the empty names of a JSON Pointer.
  if (isReference(holder) && /\/(?:\/|$)/.test(holder.$ref) && valueAt(document, holder.$ref) !== undefined)
    return false;
  // From 3.1 a boolean is a schema (JSON Schema Core §4.3.2), but the linter does not accept it everywhere.
  const isBooleanSchema = message.startsWith('Expected type `Schema` (object) but got `boolean`');
  if (severity !== 'error' || (isBooleanSchema && document.openapi?.startsWith('3.0.') === false))
    return false;
  return !isIdlyUnresolved(problem, schemaNames, places);
}
