/** The generated files of an OpenAPI contract: loads it, reads it, compiles its checks and writes the files. */

import { type CompileContractOptions, bannerOf, compileContract } from './compile-contract.js';
import { type LoadedContract, loadContract } from './load/load.js';
import { applyAcceptances } from './problems/accept.js';
import { ContractError, type ContractProblem } from './problems/contract-error.js';
import { Reader } from './read/reader.js';
import { operationsFile } from './write/operations-file.js';
import { typesFile } from './write/types-file.js';
import { requireValueTypes } from './values/value-types.js';

export interface OpenapiFilesOptions extends CompileContractOptions {
  /** Unsupported features that the team has read and accepts. */
  readonly accept?: readonly string[];
}

/** The outputs and the inputs of generation. */
export interface Generated {
  /** The text of each file by its name. */
  readonly files: Readonly<Record<string, string>>;
  /** The paths of the files that the contract was read from. */
  readonly inputs: readonly string[];
}

/** @throws ContractError with every problem of the contract */
export async function openapiFiles(options: OpenapiFilesOptions): Promise<Generated> {
  const { openapi, accept = [], remotes, values = {} } = options;
  requireValueTypes(values);
  const loaded = await loadContract(openapi, remotes);
  const reader = new Reader(loaded.document, values);
  const files = await write(loaded, reader, options).catch((error: unknown) => {
    // After a fault, writing may fail for the same reason.
    if (reader.faults.length === 0) reader.fault('generator-failure', ...failureOf(error));
    return {};
  });
  const { open, unused } = applyAcceptances(reader.unsupportedFeatures, accept);
  const problems: readonly ContractProblem[] = [
    ...[...reader.faults, ...open].map(({ at, ...problem }) => ({
      ...problem,
      ...loaded.position(at),
      pointer: at,
    })),
    // A fault may hide the feature that was accepted.
    ...(reader.faults.length > 0 ? [] : unused).map((key): ContractProblem => ({
      fault: 'unused-acceptance',
      file: openapi,
      message: `"${key}" is accepted, and the contract has no such unsupported feature`,
    })),
  ];
  if (problems.length > 0) throw new ContractError(problems);
  return { files, inputs: loaded.files };
}

async function write(
  loaded: LoadedContract,
  reader: Reader,
  options: OpenapiFilesOptions,
): Promise<Generated['files']> {
  const { model, routing, requests, responses, converters } = compileContract(loaded, reader, options);
  const banner = bannerOf(options.openapi);
  return {
    'openapi.ts': await typesFile(loaded.document, banner, options.values ?? {}),
    'operations.ts': operationsFile(reader, model, banner),
    'routing.ts': routing,
    'validators.js': requests.js,
    'validators.d.ts': requests.dts,
    'response-validators.js': responses.js,
    'response-validators.d.ts': responses.dts,
    ...(converters && { 'values.js': converters.js, 'values.d.ts': converters.dts }),
  };
}

/** The place and sentence of an error; the schema compiler begins its messages with the pointer. */
function failureOf(error: unknown): readonly [at: string, message: string] {
  const message = error instanceof Error ? error.message : String(error);
  const [, at, sentence] = /^(#\S*): ([^]*)$/.exec(message) ?? [];
  return [at ?? '#', sentence ?? message];
}
