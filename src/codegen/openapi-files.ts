/** The generated files of an OpenAPI contract: loads it, reads it, compiles its checks and writes the files. */

import { basename } from 'node:path';
import { type LoadedContract, loadContract } from './load/load.js';
import type { Remotes } from './load/remote-documents.js';
import { type ProblemExamples, refusalNotices } from './notices/refusals.js';
import { applyAcceptances } from './problems/accept.js';
import { ContractError, type ContractProblem } from './problems/contract-error.js';
import type { ContractNotice, Notice } from './problems/notice.js';
import { readContract } from './read/operations.js';
import { Reader } from './read/reader.js';
import { compileValidators } from './schemas/compile-validators.js';
import type { ValidatorsFile } from './schemas/validators-file.js';
import { CheckList } from './write/checks.js';
import { outgoingFile } from './write/outgoing-file.js';
import { operationsFile } from './write/operations-file.js';
import { ReceivedSchemas } from './write/received-schemas.js';
import { routingFile } from './write/routing-file.js';
import { typesFile } from './write/types-file.js';

export interface OpenapiFilesOptions {
  /** Path of the contract. */
  readonly openapi: string;
  /** Unsupported features that the team has read and accepts. */
  readonly accept?: readonly string[];
  readonly formats?: 'assert' | 'annotate';
  readonly remotes?: Remotes;
  /** An example of what the service's `problems` writes, by media type. */
  readonly problems?: ProblemExamples;
  /** Called after each step of compiling the checks. */
  readonly progress?: (done: number, total: number) => void;
}

/** The outputs and the inputs of generation. */
export interface Generated {
  /** The text of each file by its name. */
  readonly files: Readonly<Record<string, string>>;
  /** The paths of the files that the contract was read from. */
  readonly inputs: readonly string[];
  readonly notices: readonly ContractNotice[];
}

/** @throws ContractError with every problem of the contract */
export async function openapiFiles(options: OpenapiFilesOptions): Promise<Generated> {
  const { openapi, accept = [], remotes } = options;
  const loaded = await loadContract(openapi, remotes);
  const reader = new Reader(loaded.document);
  const { files, notices } = await write(loaded, reader, options).catch((error: unknown) => {
    // After a fault, writing may fail for the same reason.
    if (reader.faults.length === 0) reader.fault('generator-failure', ...failureOf(error));
    return { files: {}, notices: [] };
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
  const placed = notices.map(({ at, message }) => ({ ...loaded.position(at), pointer: at, message }));
  return { files, inputs: loaded.files, notices: placed };
}

async function write(
  { document }: LoadedContract,
  reader: Reader,
  { openapi, formats = 'assert', remotes, problems, progress }: OpenapiFilesOptions,
): Promise<{ readonly files: Generated['files']; readonly notices: readonly Notice[] }> {
  const banner = bannerOf(openapi);
  const contract = readContract(reader);
  const checks = new CheckList();
  const routing = reader.attempt(() => routingFile(contract, checks, banner)) ?? '';
  const outgoing = reader.attempt(() => outgoingFile(reader, contract, checks, banner));
  const compileOptions = { contract: basename(openapi), formats, ...(remotes && { remotes }) };
  const validators = compileValidators(document, checks.orders, {
    ...compileOptions,
    ...(progress && { progress }),
  });
  for (const { feature, at, message } of validators.unsupported) reader.unsupported(feature, at, message);
  const requests = acceptAll(validators.requests, checks.namesOf('request'), validators.trivial);
  const responses = acceptAll(validators.responses, checks.namesOf('response'), validators.trivial);
  const received = new ReceivedSchemas(reader);
  const operations = operationsFile(reader, contract, banner, received);
  const files = {
    'openapi.ts': await typesFile(document, banner, {
      callbacks: contract.callbackItems,
      schemas: received.components,
    }),
    'operations.ts': operations,
    'routing.ts': routing,
    ...(outgoing !== undefined && { 'outgoing.ts': outgoing }),
    'validators.js': requests.js,
    'validators.d.ts': requests.dts,
    'response-validators.js': responses.js,
    'response-validators.d.ts': responses.dts,
  }; // A contract with faults is not written, and has worse to tell.
  const isGood = reader.faults.length === 0;
  const notices = isGood ? await refusalNotices(document, contract, problems, compileOptions) : [];
  return { files, notices };
}

/** The first line of every generated file. */
function bannerOf(contract: string): string {
  return `// Generated by concordat from ${basename(contract)}. Do not edit: change the contract and generate again.\n`;
}

/** The place and sentence of an error; the schema compiler begins its messages with the pointer. */
function failureOf(error: unknown): readonly [at: string, message: string] {
  const message = error instanceof Error ? error.message : String(error);
  const [, at, sentence] = /^(#\S*): ([^]*)$/.exec(message) ?? [];
  return [at ?? '#', sentence ?? message];
}

/**
 * Adds a check that accepts everything for each name whose schema restricts nothing.
 *
 * @param names - the checks that the module must have
 * @param trivial - the checks of all modules that the compiler left out
 */
function acceptAll(
  { js, dts }: ValidatorsFile,
  names: readonly string[],
  trivial: ReadonlySet<string>,
): ValidatorsFile {
  const missing = names.filter((name) => trivial.has(name));
  return {
    js: js + missing.map((name) => `\nexport const ${name} = () => true;\n`).join(''),
    dts:
      dts +
      missing.map((name) => `\n/** Accepts everything. */\nexport declare const ${name}: Check;\n`).join(''),
  };
}
