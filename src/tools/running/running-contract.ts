/** Loads and compiles an OpenAPI contract in memory, to learn which requests it accepts and which responses it describes. */

import {
  type Answer,
  type CallContext,
  type Encoder,
  type HttpRequest,
  type ResponseChecks,
  type RestContract,
  type RestEngine,
  type SecurityHandler,
  type SecurityScheme,
  memoryRequest,
  restEngine,
} from '@concordat/runtime';
import {
  type ContractModel,
  type LoadOptions,
  type MediaTypeModel,
  type OpenApiDocument,
  type OperationModel,
  type ReadContract,
  type Runnable,
  loadContract,
  readLoaded,
  runnable,
} from 'concordat/contract';
import { ResponseChecker, type ResponseProblem } from '@concordat/runtime/testing';
import { type Place, scopesOf, type SentResponse, type WireRequest } from './wire-request.js';

/** A contract that can judge requests and responses. */
export interface RunningContract extends Runnable {
  readonly document: OpenApiDocument;
  readonly model: ContractModel;
  readonly place: (pointer: string) => Place;
  /** Sends a request to an engine of the contract that accepts every credential. */
  readonly expectedOutcomeOf: OutcomeOf;
  /** The same, with an engine that takes all integers of 64 bits: the contract allows them, even if an engine without bigints does not. */
  readonly exactOutcomeOf: OutcomeOf;
  /** Whether the contract declares a response. */
  readonly declares: (operationId: string, response: SentResponse) => boolean;
  /** All problems of a response; empty if the contract declares it. */
  readonly objectionsTo: (operationId: string, response: SentResponse) => readonly ResponseProblem[];
}

export type OutcomeOf = (request: WireRequest) => Promise<ExpectedOutcome>;

/** The operation that a request reaches, or its refusal. */
export type ExpectedOutcome = { readonly operation: string } | { readonly refusal: Refusal };

interface Refusal {
  readonly status: number;
  /** With the status: `400 query/limit must be <= 50`. */
  readonly sentence: string;
  /** All that is wrong with its values, one sentence each. */
  readonly faults: readonly string[];
}

/** Called after each step of compiling the checks. */
export type Progress = (done: number, total: number) => void;

/** The options for loading and compiling a contract. */
export interface RunOptions extends LoadOptions {
  readonly progress?: Progress | undefined;
}

/** @throws ContractError with every fault of the contract */
export async function runContract(
  file: string,
  { progress, ...load }: RunOptions = {},
): Promise<RunningContract> {
  return runRead(await readLoaded(file, await loadContract(file, load)), progress);
}

/**
 * Compiles the operations of the model. Unsupported features do not stop it; the parts that they describe are not judged.
 *
 * @throws ContractError with every fault that compiling finds
 */
export async function runRead(
  { loaded, model, compile }: ReadContract,
  progress?: Progress,
): Promise<RunningContract> {
  const { contract, responseChecks } = await runnable(compile(model, progress));
  const explained = checkersOf(contract, responseChecks);
  const unexplained = checkersOf(contract, withoutSchemas(responseChecks));
  return {
    document: loaded.document,
    model: { ...model, operations: model.operations.map(withBodies) },
    place: (pointer) => placeOf(loaded, pointer),
    contract,
    responseChecks,
    expectedOutcomeOf: outcomes(() => contract),
    exactOutcomeOf: outcomes(() => exactContract(contract)),
    declares: (...given) => problemsOf(unexplained, given).length === 0,
    objectionsTo: (...given) => problemsOf(explained, given),
  };
}

type Checkers = (operationId: string) => ResponseChecker;

/** The checker of the responses of each operation, made when it is needed. */
function checkersOf({ operations, bodyCodecs }: RestContract, checks: ResponseChecks): Checkers {
  const known = new Map<string, ResponseChecker>();
  return (id) => {
    const checker = known.get(id) ?? new ResponseChecker(operations[id]?.responses ?? {}, checks, bodyCodecs);
    known.set(id, checker);
    return checker;
  };
}

/** The same checks, whose refusals take no time to explain. */
function withoutSchemas(checks: ResponseChecks): ResponseChecks {
  return Object.fromEntries(Object.entries(checks).map(([name, check]) => [name, (value) => check(value)]));
}

function problemsOf(
  checkerOf: Checkers,
  [id, { status, headers, contentType, body }]: readonly [operationId: string, response: SentResponse],
): readonly ResponseProblem[] {
  const sent = contentType === undefined ? undefined : { value: body };
  return checkerOf(id).problemsOf({ status, headers, contentType, body: sent, hasAllFailures: true });
}

/** The operation with its request bodies as they are sent, which may differ from the bodies that handlers get. */
function withBodies({ requestBody, ...operation }: OperationModel): OperationModel {
  if (requestBody === undefined) return operation;
  const content = requestBody.content.map(({ whole, ...media }): MediaTypeModel => {
    if (whole !== undefined) return whole;
    return media.kind === 'items' && media.checked !== undefined ? { ...media, node: media.checked } : media;
  });
  return { ...operation, requestBody: { ...requestBody, content } };
}

function placeOf(loaded: ReadContract['loaded'], pointer: string): Place {
  const { file, line } = loaded.position(pointer);
  return { file, line, pointer };
}

/** Sends requests to an engine that accepts every credential, and whose handlers only record that a request reached them. */
function outcomes(contractOf: () => RestContract): OutcomeOf {
  let expectedOutcomeOf: OutcomeOf | undefined;
  return (request) => (expectedOutcomeOf ??= outcomesOf(contractOf()))(request);
}

function outcomesOf(contract: RestContract): OutcomeOf {
  const reached = new WeakMap<HttpRequest, string>();
  const security: SecurityHandler<string> = {
    missing: 'the credential is missing',
    authenticate: (credential) => ({ caller: 'somebody', scopes: scopesOf(credential) }),
  };
  const engine = uniformEngine(contract, {
    handler: async (input, { request, operationId }) => {
      await readToEnd(input);
      reached.set(request, operationId);
      return { status: 204 };
    },
    security: () => security,
    anonymous: 'nobody',
    encoder: (_, kind) => (kind === 'other' ? () => '' : undefined),
    report: () => undefined,
  });
  return async (wire) => {
    const request = memoryRequest(wire);
    const { status, body } = await engine(request);
    const operation = reached.get(request);
    if (operation !== undefined) return { operation };
    const text = typeof body === 'string' && body !== '' ? body : '{}';
    const { detail, errors = [] } = JSON.parse(text) as ProblemBody;
    const sentence = [String(status), ...(detail === undefined ? [] : [detail])].join(' ');
    return { refusal: { status, sentence, faults: errors.map((each) => each.detail) } };
  };
}

interface ProblemBody {
  readonly detail?: string;
  readonly errors?: readonly { readonly detail: string }[];
}

/** The contract with bigints for all integers beyond 2^53. */
function exactContract(contract: RestContract): RestContract {
  const operations = Object.entries(contract.operations).map(([id, operation]) => {
    const { parameters, requestBody } = operation;
    const exact = exactly({ ...(parameters && { parameters }), ...(requestBody && { requestBody }) });
    return [id, { ...operation, ...exact, exact: true as const }] as const;
  });
  return { ...contract, operations: Object.fromEntries(operations) };
}

/** The description of a parameter or a body, in which the type of integers is that of exact ones. */
function exactly<Part>(part: Part, name?: string): Part {
  if (name === 'default') return part;
  // Such a parameter is bounded, not refused.
  if (typeof part === 'object' && part !== null && 'lenient' in part && part.lenient !== undefined)
    return part;
  if (name === 'type' && part === 'integer') return 'exact' as Part;
  if (Array.isArray(part)) return part.map((each: unknown) => exactly(each, name)) as Part;
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(Object.entries(part).map(([key, each]) => [key, exactly(each, key)])) as Part;
}

interface UniformParts<Caller> {
  readonly handler: (input: unknown, context: CallContext<Caller>) => Promise<Answer>;
  readonly security: (scheme: SecurityScheme) => SecurityHandler<Caller>;
  readonly anonymous: Caller;
  /** The encoder of a media type; required for those that the engine does not write itself. */
  readonly encoder: (mediaType: string, kind: 'json' | 'other') => Encoder | undefined;
  readonly report: (error: unknown) => void;
}

/** Runs a contract with the same handler for every operation. */
export function uniformEngine<Caller>(
  contract: RestContract,
  { handler, security, anonymous, encoder, report }: UniformParts<Caller>,
): RestEngine<Caller> {
  const bodies = Object.values(contract.operations)
    .flatMap(({ responses }) => Object.values(responses))
    .flatMap(({ content = {} }) => Object.entries(content));
  const encoders = bodies.flatMap(([mediaType, { kind }]): (readonly [string, Encoder])[] => {
    const found = kind === 'other' || kind === 'json' ? encoder(mediaType, kind) : undefined;
    return found === undefined ? [] : [[mediaType, found]];
  });
  return restEngine<Caller, unknown, string, string>({
    contract,
    operations: mapped(contract.operations, () => handler),
    security: mapped(contract.securitySchemes, security),
    anonymous,
    encoders: Object.fromEntries(encoders),
    report,
  });
}

function mapped<From, To>(
  values: Readonly<Record<string, From>>,
  change: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}

/**
 * Reads the body of a request to its end if it is a stream. Errors of its reader are thrown.
 *
 * @param input - the first argument of a handler
 */
export async function readToEnd(input: unknown): Promise<void> {
  if (typeof input !== 'object' || input === null || !('body' in input)) return;
  const { body } = input;
  if (typeof body !== 'object' || body === null || !(Symbol.asyncIterator in body)) return;
  const pieces = (body as AsyncIterable<unknown>)[Symbol.asyncIterator]();
  while ((await pieces.next()).done !== true);
}
