/** Compiles a loaded contract into the texts of its routing, its checks and its conversions. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ResponseChecks, RestContract } from '@concordat/runtime';
import type { Remotes } from '../contract/schemas/document.js';
import type { LoadedContract } from '../contract/load/load.js';
import { storedTypes } from '../contract/load/stored-fields.js';
import type { ContractModel } from '../contract/model/model.js';
import { readContract } from '../contract/model/operations.js';
import { Reader } from '../contract/model/reader.js';
import { ContractError, describeProblem } from '../contract/problems/contract-problem.js';
import { isHarmless, isNoticed } from '../contract/problems/features.js';
import {
  type CompileOptions,
  compileValidators,
  type ValidatorsFile,
} from '../checks/schemas/compile-validators.js';
import { invalidDefaults } from '../checks/schemas/invalid-defaults.js';
import { type Code, NOTHING, code, identifier, joined, openingLine } from '../text/code.js';
import { joinPointer } from '../text/pointer.js';
import type { ValueTypes } from '../contract/schemas/value-types.js';
import { CheckList } from './files/checks.js';
import type { StandardCheck } from './files/standard-schemas-file.js';
import { outgoingFile } from './files/outgoing-file.js';
import { routingFile, withoutTypes } from './files/routing-file.js';
import { ValueList } from './files/value-list.js';

export interface CompileContractOptions {
  readonly openapi: string;
  /** `assert`: values must match the `format` of their schema; `annotate`: the keyword only describes them. Default: `assert`. */
  readonly formats?: 'assert' | 'annotate';
  /** Documents by URI, for `$ref`s to them. */
  readonly remotes?: Remotes;
  /**
   * TypeScript types by `format`, such as `{ 'date-time': 'Date' }`, for the values that handlers receive and return, and for
   * GraphQL scalars of the same name. Default: values keep their JSON types.
   */
  readonly values?: ValueTypes;
  /** Called after each step of compiling the checks. */
  readonly progress?: (done: number, total: number) => void;
}

/** A compiled contract: its model, and the texts of the generated modules that run it. */
interface CompiledContract {
  readonly model: ContractModel;
  /** The text of `routing.ts`. */
  readonly routing: Code;
  /** The text of `outgoing.ts`; absent if the contract sends no requests. */
  readonly outgoing?: Code;
  /** The checks of requests, which the routing imports. */
  readonly requests: ValidatorsFile;
  readonly responses: ValidatorsFile;
  /** The functions that omit undeclared members from responses, which the routing imports; absent if no response has a check. */
  readonly surplus?: ValidatorsFile;
  /** The functions that the checks share; absent if there are none. */
  readonly shared?: Code;
  /** The conversions of values, which the routing imports; absent if no value is converted. */
  readonly converters?: Code;
  /** The checks of component schemas; empty unless they are asked for. */
  readonly named: readonly StandardCheck[];
  /** Their functions that no module of checks has. */
  readonly namedFunctions: Code;
  /** The options for compiling further checks of the contract. */
  readonly compileOptions: CompileOptions;
}

/**
 * Compiles a contract. The reader collects unsupported features and faults.
 *
 * @param model - the model that the reader reads, or a part of it
 */
export function compileContract(
  { document, left }: Pick<LoadedContract, 'document' | 'left'>,
  reader: Reader,
  options: CompileContractOptions & Pick<CompileOptions, 'named'>,
  model = readContract(reader, left),
): CompiledContract {
  const { openapi, formats = 'assert', progress, named = false } = options;
  const checks = new CheckList();
  const banner = openingLine(basename(openapi));
  const list = new ValueList(reader.schemas);
  const routing =
    reader.attempt(() => routingFile(model, checks, list, banner, storedTypes(document))) ?? NOTHING;
  const outgoing = reader.attempt(() => outgoingFile(model, checks, list, banner));
  const converters = list.file(banner, checks);
  for (const at of converters.untyped) reader.unsupported('untyped-value', at, UNTYPED);
  const compileOptions = { banner, formats, invalidDefaults: reader.schemas.invalidDefaults };
  const { schemas } = reader;
  const manner = { ...compileOptions, schemas, named, ...(progress && { progress }) };
  const validators = compileValidators(document, checks.orders, manner);
  return {
    model,
    routing,
    ...(outgoing !== undefined && { outgoing }),
    compileOptions,
    named: validators.named.map((check) => {
      const place = joinPointer('#/components/schemas', check.component);
      return { ...check, decode: list.decoder(place), isConverted: list.isConverted(place) };
    }),
    namedFunctions: validators.namedFunctions,
    requests: acceptAll(validators.requests, checks.namesOf('request'), validators.trivial),
    ...(checks.namesOf('response').length > 0 && { surplus: validators.surplus }),
    ...(validators.shared !== undefined && { shared: validators.shared }),
    responses: acceptAll(validators.responses, checks.namesOf('response'), validators.trivial),
    ...(!list.isEmpty && { converters: converters.text }),
  };
}

/** A contract that is loaded and read, but not compiled yet. */
export interface ReadContract {
  readonly loaded: LoadedContract;
  readonly model: ContractModel;
  /**
   * Compiles the operations of the model, or of a part of it. Unsupported features do not stop it; the parts that they describe have no
   * checks.
   *
   * @returns the texts of the modules that run the contract, in JavaScript, by the names of their files
   * @throws ContractError with every fault that compiling finds
   */
  readonly compile: (
    model: ContractModel,
    progress?: CompileContractOptions['progress'],
  ) => Readonly<Record<string, string>>;
  /** @throws an error that names the first unsupported feature that compiling has found, and its place */
  readonly requireSupported: () => void;
}

/**
 * Reads a contract to run it in memory. @param openapi - its file
 *
 * @throws ContractError with every fault that reading finds
 */
export async function readLoaded(openapi: string, loaded: LoadedContract): Promise<ReadContract> {
  const reader = new Reader(loaded.document, { invalidDefaults: await invalidDefaults(loaded.document, {}) });
  const refuseFaults = (): void => {
    const faults = reader.faults.map(({ at, ...fault }) => ({
      ...fault,
      ...loaded.position(at),
      pointer: at,
    }));
    if (faults.length > 0) throw new ContractError(faults);
  };
  const whole = readContract(reader);
  refuseFaults();
  return {
    loaded,
    model: whole,
    compile(model, progress) {
      const options = { openapi, ...(progress && { progress }) };
      const { routing, requests, responses, surplus } = compileContract(loaded, reader, options, model);
      refuseFaults();
      return {
        'routing.js': withoutTypes(routing),
        'validators.js': requests.js,
        'response-validators.js': responses.js,
        ...(surplus && { 'surplus.js': surplus.js }),
      };
    },
    requireSupported() {
      const found = reader.schemas.unsupportedFeatures;
      // Without its default, a field that a team adds would not be what its contract says.
      const refused = found.find(
        (each) => each.feature === 'invalid-default' || !(isNoticed(each) || isHarmless(each.feature)),
      );
      if (refused === undefined) return;
      const { at, feature, message } = refused;
      throw new Error(describeProblem({ ...loaded.position(at), pointer: at, feature, message }));
    },
  };
}

/** A compiled contract, as an engine runs it. */
export interface Runnable {
  readonly contract: RestContract;
  readonly responseChecks: ResponseChecks;
}

/**
 * Loads the modules of {@link ReadContract.compile} from temporary files, because the routing imports the checks by file name.
 */
export async function runnable(modules: Readonly<Record<string, string>>): Promise<Runnable> {
  const directory = await mkdtemp(join(tmpdir(), 'concordat-contract-'));
  // Programs that load this file as a CommonJS module, such as tsx in a project of such modules, have no `import.meta.resolve`.
  const runtime = pathToFileURL(createRequire(import.meta.url).resolve('@concordat/runtime')).href;
  try {
    const files = {
      'package.json': '{ "type": "module" }\n',
      ...modules,
      'routing.js': modules['routing.js']?.replace('from "@concordat/runtime"', `from "${runtime}"`),
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text ?? '');
    const load = (name: string): Promise<unknown> => import(pathToFileURL(join(directory, name)).href);
    const { contract } = (await load('routing.js')) as Pick<Runnable, 'contract'>;
    return { contract, responseChecks: (await load('response-validators.js')) as ResponseChecks };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

const UNTYPED =
  'values under this keyword keep their JSON types, because the generated types do not describe them';

/**
 * Adds a check that accepts everything for each name whose schema restricts nothing.
 *
 * @param names - the checks that the module must have
 * @param trivial - the checks of all modules that the compiler left out
 */
function acceptAll(
  { js, ts }: ValidatorsFile,
  names: readonly string[],
  trivial: ReadonlySet<string>,
): ValidatorsFile {
  const missing = names.filter((name) => trivial.has(name)).map(identifier);
  const exports = (type: Code) =>
    joined(
      missing.map((name) => code`\n/** Accepts everything. */\nexport const ${name}${type} = () => true;\n`),
    );
  return { js: code`${js}${exports(NOTHING)}`, ts: code`${ts}${exports(code`: Check`)}` };
}
