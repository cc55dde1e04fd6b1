/** The generated files of an OpenAPI contract: loads it, reads it, compiles its checks and writes the files. */

import { basename } from 'node:path';
import { type LoadedContract, loadContract } from './load/load.js';
import type { Remotes } from './load/remote-documents.js';
import { type ProblemExamples, refusalNotices } from './notices/refusals.js';
import { applyAcceptances } from './problems/accept.js';
import { ContractError, type ContractProblem } from './problems/contract-error.js';
import type { Fault } from './problems/fault.js';
import type { ContractNotice, Notice } from './problems/notice.js';
import type { UnsupportedFeature } from './problems/unsupported-feature.js';
import { readContract } from './read/operations.js';
import { Reader } from './read/reader.js';
import { compileValidators } from './schemas/compile-validators.js';
import { invalidDefaults } from './schemas/invalid-defaults.js';
import type { ValidatorsFile } from './schemas/validators-file.js';
import { CheckList } from './write/checks.js';
import { outgoingFile } from './write/outgoing-file.js';
import { operationsFile } from './write/operations-file.js';
import { ReceivedSchemas } from './write/received-schemas.js';
import { routingFile } from './write/routing-file.js';
import { typesFile } from './write/types-file.js';
import { ValueList } from './values/value-list.js';
import { type ValueTypes, requireValueTypes } from './values/value-types.js';
import { ValueOrders } from './write/value-orders.js';

export interface OpenapiFilesOptions {
  /** Path of the contract. */
  readonly openapi: string;
  /** Unsupported features that the team has read and accepts. */
  readonly accept?: readonly string[];
  /** Whether faults that change nothing that is generated are accepted. */
  readonly lenient?: boolean;
  readonly formats?: 'assert' | 'annotate';
  readonly remotes?: Remotes;
  /** The types that handlers get for the values of a format. */
  readonly values?: ValueTypes;
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
  const { openapi, accept = [], lenient = false, remotes, values = {} } = options;
  requireValueTypes(values);
  const loaded = await loadContract(openapi, remotes);
  const invalid = await invalidDefaults(loaded.document, options);
  const reader = new Reader(loaded.document, invalid, values);
  const written = await write(loaded, reader, options).catch((error: unknown) => ({ error }));
  const placed = ({ at, ...problem }: Fault | UnsupportedFeature): ContractProblem => ({
    ...problem,
    ...loaded.position(at),
    pointer: at,
  });
  const harmless = lenient ? [] : loaded.harmless;
  const features = [...harmless, ...reader.unsupportedFeatures.map(placed)];
  const { open, unused } = applyAcceptances(features, accept);
  // After another problem, writing may fail for the same reason.
  const isFailure = 'error' in written && reader.faults.length + open.length === 0;
  if (isFailure) reader.fault('generator-failure', ...failureOf(written.error));
  const problems: readonly ContractProblem[] = [
    ...reader.faults.map(placed),
    ...open,
    // A fault may hide the feature that was accepted.
    ...(reader.faults.length > 0 ? [] : unused).map((key): ContractProblem => ({
      fault: 'unused-acceptance',
      file: openapi,
      message: `"${key}" is accepted, and the contract has no such unsupported feature`,
    })),
  ];
  if (problems.length > 0 || 'error' in written) throw new ContractError(problems);
  const notices = written.notices.map(({ at, message }) => ({
    ...loaded.position(at),
    pointer: at,
    message,
  }));
  return { files: written.files, inputs: loaded.files, notices };
}

async function write(
  { document }: LoadedContract,
  reader: Reader,
  { openapi, formats = 'assert', remotes, values = {}, problems, progress }: OpenapiFilesOptions,
): Promise<{ readonly files: Generated['files']; readonly notices: readonly Notice[] }> {
  const banner = bannerOf(openapi);
  const contract = readContract(reader);
  const checks = new CheckList();
  const list = new ValueList(document, values, remotes ? { remotes } : {});
  const orders = new ValueOrders(list);
  const routing = reader.attempt(() => routingFile(contract, checks, orders, banner)) ?? '';
  const outgoing = reader.attempt(() => outgoingFile(reader, contract, checks, banner));
  const converters = list.file(banner, (place, direction) => checks.alternative(place, direction));
  for (const at of converters.untyped) reader.unsupported('untyped-value', at, UNTYPED);
  const compileOptions = {
    contract: basename(openapi),
    formats,
    invalidDefaults: reader.invalidDefaults,
    ...(remotes && { remotes }),
  };
  const validators = compileValidators(document, checks.orders, {
    ...compileOptions,
    ...(progress && { progress }),
  });
  for (const { feature, at, message } of validators.unsupported) {
    // Nothing else checks such a format, but converting refuses what does not fit.
    if (feature === 'unknown-format' && list.converts(at.replace(/\/format$/, ''))) continue;
    reader.unsupported(feature, at, message);
  }
  const requests = acceptAll(validators.requests, checks.namesOf('request'), validators.trivial);
  const responses = acceptAll(validators.responses, checks.namesOf('response'), validators.trivial);
  const received = new ReceivedSchemas(reader);
  const operations = operationsFile(reader, contract, banner, received);
  const files = {
    'openapi.ts': await typesFile(document, banner, {
      callbacks: contract.callbackItems,
      schemas: received.components,
      invalidDefaults: reader.invalidDefaults,
      values,
    }),
    'operations.ts': operations,
    'routing.ts': routing,
    ...(outgoing !== undefined && { 'outgoing.ts': outgoing }),
    'validators.js': requests.js,
    'validators.d.ts': requests.dts,
    'response-validators.js': responses.js,
    'response-validators.d.ts': responses.dts,
    ...(!list.isEmpty && { 'values.js': converters.js, 'values.d.ts': converters.dts }),
  };
  // A contract with faults is not written, and has worse to tell.
  const isGood = reader.faults.length === 0;
  const notices = isGood ? await refusalNotices(document, contract, problems, compileOptions) : [];
  return { files, notices };
}

const UNTYPED =
  'values under this keyword stay as they are in JSON, because the generated types do not describe them';

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
