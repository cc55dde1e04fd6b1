/** Generates the files of an OpenAPI contract: loads it, reads it, compiles its checks and writes the texts. */

import { basename } from 'node:path';
import type { ToolTable } from '@concordat/runtime';
import { type CompileContractOptions, compileContract } from './compile-contract.js';
import { type LoadedContract, loadContract } from '../contract/load/load.js';
import { meaningOf } from '../contract/load/harmless-faults.js';
import { problemsOfParser } from '../contract/load/lint-problems.js';
import { type ProblemExamples, refusalNotices } from './refusals.js';
import {
  applyAcceptances,
  ContractError,
  type ContractNotice,
  type ContractProblem,
  type Notice,
  type Fault,
  type UnsupportedFeature,
} from '../contract/problems/contract-problem.js';
import { isHarmless, isNoticed } from '../contract/problems/features.js';
import type { PlacedOperation } from '../contract/model/model.js';
import { readContract } from '../contract/model/operations.js';
import { Reader } from '../contract/model/reader.js';
import { invalidDefaults } from '../checks/schemas/invalid-defaults.js';
import {
  type Code,
  code,
  identifier,
  joined,
  openingLine,
  templateLiteral,
  withTypeScriptImports,
} from '../text/code.js';
import { requireValueTypes } from '../contract/schemas/value-types.js';
import { operationTypes, operationsFile } from './files/operations-file.js';
import { storedTypes } from '../contract/load/stored-fields.js';
import { componentName } from './files/checks.js';
import { RECEIVED, SchemaVariants, componentReference } from './files/schema-variants.js';
import { type StandardTypes, standardSchemasFile } from './files/standard-schemas-file.js';
import { typedDocument } from './files/types/typed-document.js';
import { typesFile } from './files/types/types-file.js';
import { toolTable } from './tools/tool-table.js';

export interface OpenapiFilesOptions extends CompileContractOptions {
  /**
   * The unsupported features that the team accepts, by name (`servers`) or by name and place
   * (`servers at #/paths/~1a/post/servers`). An entry that matches nothing in the contract is a fault.
   */
  readonly accept?: readonly string[];
  /**
   * The origins, such as `https://example.com`, from which referenced documents may be fetched. Default: none; a `$ref` to a web
   * address that is not in `remotes` is a fault. A contract that is itself fetched from a web address allows its own origin.
   */
  readonly allowOrigins?: readonly string[];
  /**
   * Selectors of the operations to generate, such as `tag:billing`, `operation:getCustomer`, `path:/users/**` and `method:GET`, with the
   * components that they use. Default: the whole contract. A selector that selects no operation is a fault.
   */
  readonly only?: readonly string[];
  /** Selectors of operations that are not generated. */
  readonly except?: readonly string[];
  /**
   * Whether to accept all faults that do not affect the generated files or whose meaning is certain, such as a response without a
   * `description` or an unknown format. Default: each must be accepted by name.
   */
  readonly lenient?: boolean;
  /**
   * The ending of the imports between generated files; `.ts` for projects whose TypeScript Node runs without a build. Default: `.js`.
   */
  readonly importExtension?: '.js' | '.ts';
  /**
   * Whether to write `document.ts`: the contract as one parsed document, with overlays applied and other files included, for pages.
   * Default: no.
   */
  readonly document?: boolean;
  /**
   * Whether `openapi.ts` has the types `paths`, `operations`, `webhooks` and all `components`, for clients such as openapi-fetch.
   * Default: no, only the types of schemas.
   */
  readonly clientTypes?: boolean;
  /** Whether to write `standard-schemas.ts`: the named schemas as Standard Schemas, for other libraries. Default: no. */
  readonly standardSchemas?: boolean;
  /** Whether to write `tools.ts`: the operations as tools for models, for `mcpHttp` and `mcpServer`. Default: no. */
  readonly tools?: boolean;
  /**
   * Examples of the output of the service's `problems`, by media type. Default: problem details (RFC 9457). Declared responses
   * that do not accept them are reported as notices.
   */
  readonly problems?: ProblemExamples;
}

/** The outputs and the inputs of generation. */
export interface Generated {
  /** The text of each file by its name. */
  readonly files: Readonly<Record<string, Code>>;
  /** The paths of the files that the contract was read from. */
  readonly inputs: readonly string[];
  readonly notices: readonly ContractNotice[];
  /** The operations of the OpenAPI document, by their ids. */
  readonly operations: GeneratedOperations;
}

export interface GeneratedOperations {
  readonly generated: readonly string[];
  /** Those that `only` and `except` leave out. */
  readonly left: readonly string[];
}

/** @throws ContractError with every problem of the contract */
export async function openapiFiles(options: OpenapiFilesOptions): Promise<Generated> {
  try {
    return await filesOf(options);
  } catch (error) {
    throw error instanceof RangeError ? new ContractError(problemsOfParser(options.openapi, error)) : error;
  }
}

async function filesOf(options: OpenapiFilesOptions): Promise<Generated> {
  const { openapi, accept = [], lenient = false, remotes, allowOrigins, only, except, values = {} } = options;
  requireValueTypes(values);
  const loaded = await loadContract(openapi, { remotes, allowOrigins, only, except });
  const invalid = await invalidDefaults(loaded.document, options);
  const reader = new Reader(loaded.document, { ...options, invalidDefaults: invalid });
  const written = await write(loaded, reader, options).catch((error: unknown) => ({ error }));
  const placed = ({ at, ...problem }: Fault | Omit<UnsupportedFeature, 'isNotice'>): ContractProblem => {
    return { ...problem, ...loaded.position(at), pointer: at };
  };
  const unsupported = reader.schemas.unsupportedFeatures.map(({ isNotice = false, ...feature }) => {
    // A thrown problem has no such member.
    return { ...placed(feature), ...(isNotice && { isNotice }) };
  });
  const found = [...loaded.harmless, ...unsupported];
  const features = lenient ? found.filter(({ feature }) => !isHarmless(feature)) : found;
  const { open: unaccepted, unused } = applyAcceptances(openapi, features, accept);
  const open = unaccepted.filter((each) => !isNoticed(each));
  // Writing may fail because of a problem that is already reported.
  if ('error' in written && written.error instanceof RangeError) throw written.error;
  const isFailure = 'error' in written && reader.faults.length + open.length === 0;
  if (isFailure) reader.fault('generator-failure', ...failureOf(written.error));
  const faults = reader.faults.map(placed);
  // A fault may hide the feature that was accepted.
  const problems = [...faults, ...open, ...(faults.length > 0 ? [] : unused)];
  if (problems.length > 0 || 'error' in written) throw new ContractError(problems);
  // A repaired fault is noted, accepted or not.
  const noticed = found.flatMap((each): readonly ContractNotice[] => {
    const { feature, file, line = 1, column = 1, pointer = '#' } = each;
    const isNoted = unaccepted.includes(each) && isNoticed(each);
    const message = meaningOf(feature) ?? (isNoted ? each.message : undefined);
    if (feature === undefined || message === undefined) return [];
    return [{ kind: feature, file, line, column, pointer, message }];
  });
  return {
    files: written.files,
    inputs: loaded.files,
    notices: [
      ...noticed,
      ...written.notices.map(({ at, ...notice }) => ({ ...notice, ...loaded.position(at), pointer: at })),
    ],
    operations: written.operations,
  };
}

async function write(
  loaded: LoadedContract,
  reader: Reader,
  options: OpenapiFilesOptions,
): Promise<Pick<Generated, 'files' | 'operations'> & { readonly notices: readonly Notice[] }> {
  const { document, written } = loaded;
  const compiled = compileContract(loaded, reader, { ...options, named: options.standardSchemas === true });
  const { model, routing, outgoing, requests, responses, surplus, shared, converters } = compiled;
  const banner = openingLine(basename(options.openapi));
  const files = {
    ...typeFiles(loaded, compiled, reader, banner, options),
    'routing.ts': routing,
    ...(outgoing !== undefined && { 'outgoing.ts': outgoing }),
    'validators.ts': requests.ts,
    'response-validators.ts': responses.ts,
    ...(surplus && { 'surplus.ts': surplus.ts }),
    ...(shared !== undefined && { 'shared-checks.ts': shared }),
    ...(converters && { 'values.ts': converters }),
    ...(options.document && { 'document.ts': documentFile(written, banner) }),
    ...(options.tools && { 'tools.ts': toolsFile(toolTable({ loaded, model }), banner) }),
  };
  // For a contract with faults nothing is generated, so notices do not matter.
  const hasFaults = reader.faults.length > 0;
  const { problems, importExtension } = options;
  const ids = (operations: readonly PlacedOperation[]) => operations.map(({ id }) => id);
  return {
    files: importExtension === '.ts' ? withExtensions(files) : files,
    notices: hasFaults
      ? []
      : await refusalNotices(document, model, problems, compiled.compileOptions, (pointer) =>
          /(?:^|[\\/])node_modules[\\/]/.test(loaded.position(pointer).file),
        ),
    operations: { generated: ids(model.operations), left: ids(model.left) },
  };
}

/**
 * The texts of `openapi.ts` and `operations.ts`, from a document that has the types of requests and responses apart, and that of
 * `standard-schemas.ts`.
 */
function typeFiles(
  { document, left }: LoadedContract,
  { model: contract, named, namedFunctions }: ReturnType<typeof compileContract>,
  { schemas: { invalidDefaults, values } }: Reader,
  banner: Code,
  { clientTypes }: Pick<OpenapiFilesOptions, 'clientTypes'>,
): Generated['files'] {
  const requested = named.flatMap(({ direction, component }) => (direction === 'request' ? [component] : []));
  const { typed, requests } = typedDocument(document, contract, invalidDefaults, values, requested);
  const reader = new Reader(typed, { values });
  const model = readContract(reader, left);
  const received = new SchemaVariants(RECEIVED, new Set(Object.keys(typed.components?.schemas ?? {})));
  const types = operationTypes(model, received);
  const standardTypes = new Map(
    named.map(({ component, defaults }): [string, StandardTypes] => {
      const input = requests.get(component) ?? componentReference(component);
      const output = defaults ? received.of(reader.schemas.made(input, '#/components/schemas')) : input;
      const types = { input: componentName(input) ?? component, output: componentName(output) ?? component };
      return [component, types];
    }),
  );
  const { callbackItems: callbacks } = model;
  const stored = storedTypes(document).map(([name, schema]) => [name, `Stored${name}`, schema] as const);
  const storedSchemas = Object.fromEntries(stored.map(([, type, schema]) => [type, schema]));
  const schemas = { ...received.components, ...storedSchemas };
  const { text, names } = typesFile(typed, banner, { callbacks, schemas, values, clientTypes });
  const fields = stored.map(
    ([name, type]) => code`    readonly ${identifier(name)}: ${identifier(names.get(type) ?? type)};\n`,
  );
  const storedFields = code`
// The core of the service gives its records these fields.
declare module "@concordat/core" {
  interface StoredFields {
${joined(fields)}  }
}
`;
  return {
    'openapi.ts': stored.length === 0 ? text : code`${text}${storedFields}`,
    'operations.ts': operationsFile(model, types, names, banner),
    ...(named.length > 0 && {
      'standard-schemas.ts': standardSchemasFile(named, standardTypes, namedFunctions, banner),
    }),
  };
}

function withExtensions(files: Generated['files']): Generated['files'] {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [name, withTypeScriptImports(text)]));
}

/** The place and sentence of an error; the schema compiler begins its messages with the pointer. */
function failureOf(error: unknown): readonly [at: string, message: string] {
  const message = error instanceof Error ? error.message : String(error);
  const [, at, sentence] = /^(#\S*): ([^]*)$/.exec(message) ?? [];
  return [at ?? '#', sentence ?? message];
}

/** The text of `document.ts`. */
function documentFile(document: object, banner: Code): Code {
  return code`${banner}
/** The contract as one OpenAPI document. */
export const document: Readonly<Record<string, unknown>> = ${parsed(document)};
`;
}

/** The text of `tools.ts`. */
function toolsFile(tools: ToolTable, banner: Code): Code {
  return code`${banner}
import type { ToolTable } from "@concordat/runtime";

/** The operations as tools for models. */
export const tools: ToolTable = ${parsed(tools)};
`;
}

/** JSON is parsed faster than a literal, and the compiler need not infer its type. */
function parsed(value: object): Code {
  return code`JSON.parse(${templateLiteral(inLines(value, 2))})`;
}

/** JSON with one line per member of the outer levels, which shows what has changed in less than half of the bytes of indented text. */
function inLines(value: unknown, levels: number): string {
  if (levels === 0 || typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const lines = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([key, member]) => (isList ? '' : `${JSON.stringify(key)}:`) + inLines(member, levels - 1));
  return (isList ? '[\n' : '{\n') + lines.join(',\n') + (isList ? '\n]' : '\n}');
}
