/** The mock of a contract: as one handler, or as a handler per operation for those that are not written yet. */

import {
  type Answer,
  type CallContext,
  type HttpHandler,
  type HttpRequest,
  type HttpResponse,
  Problem,
  type RestContract,
  type RestEngine,
  type SecurityHandler,
  type SecurityScheme,
  type Signatures,
  type UntypedHandler,
  memoryRequest,
} from '@concordat/runtime';
import { xmlEncoder } from '@concordat/runtime/xml';
import type { LoadOptions } from 'concordat/contract';
import {
  readToEnd,
  runContract,
  type RunningContract,
  type RunOptions,
  uniformEngine,
} from '../running/running-contract.js';
import type { Entity } from '../running/resources.js';
import { exactJson } from '../running/wire-request.js';
import { type AnsweredCall, MockAnswers } from './mock-answers.js';
import { type ConditionOptions, type Conditions, conditionsOf } from './mock-conditions.js';
import { textOf } from './mock-values.js';
import { asStream } from './sample-files.js';
import { MARK } from './state/record-values.js';
import { Sandbox, type SandboxOptions } from './state/sandbox.js';
import { CommandFailure } from '@concordat/runtime/terminal';

/** The part of the context that a mock reads. */
type MockContext = Omit<AnsweredCall, 'operationId'>;

/** The options of mocks. */
export interface MockOptions extends LoadOptions, ConditionOptions {
  /** Whether the mock remembers what is created, changed and deleted. */
  readonly state?: boolean;
}

/** A handler per operation, for any type of caller. The engine recognises them by `isMock`. */
export type MockHandlers<Handlers extends Signatures<Handlers>> = {
  readonly [Id in keyof Handlers]: ((request: unknown, context: MockContext) => ReturnType<Handlers[Id]>) & {
    readonly isMock: true;
  };
};

/**
 * Makes a handler for every operation of a contract that answers with its examples, or with values of its schemas. An engine accepts them
 * in place of missing handlers: it warns of them when it starts, marks their responses with `X-Mock: true`, and refuses to start with them
 * if `NODE_ENV` is `production`. A request chooses its answer with the header `Prefer`, as for `concordat mock`.
 *
 * @param document - the path of the contract, YAML or JSON
 * @param contract - the `contract` of the generated `routing.ts`
 * @param options - `allowOrigins` are the origins from which documents are fetched; `latency: '50..200'` (milliseconds) makes answers late,
 *   and `fail: '2%'` answers that share of the calls with a declared error response; with `state: true`, the handlers remember what is
 *   created, changed and deleted
 * @throws ContractError with every fault of the document
 *
 * @example
 * ```ts
 * const engine = restEngine({
 *   contract,
 *   operations: { ...(await mockHandlers('openapi.yaml', contract)), getUser },
 *   security,
 *   anonymous: undefined,
 *   report: console.error,
 * });
 * ```
 */
export async function mockHandlers<
  Id extends string,
  Handlers extends Signatures<Handlers> = Readonly<Record<Id, UntypedHandler>>,
>(
  document: string,
  contract: RestContract<Id, string, Handlers>,
  options: MockOptions = {},
): Promise<MockHandlers<Handlers>> {
  const conditions = conditionsOf(options);
  const running = await runContract(document, options);
  const answers = new MockAnswers(running, conditions);
  const sandbox = options.state === true ? sandboxOf(running) : undefined;
  const handlers = Object.keys(contract.operations).map((id) => {
    if (running.contract.operations[id] === undefined) throw new Error(`${document} has no operation ${id}`);
    const answer = mockOperation((context: MockContext, input) =>
      answers.answerTo({ ...context, operationId: id }, () => sandbox?.answer(id, input, context)),
    );
    const handler = async (input: unknown, context: MockContext): Promise<Answer> =>
      conditions.late(await answer(input, context), context.request);
    return [id, Object.assign(handler, { isMock: true as const })];
  });
  // Each handler answers as the document declares, so it has the generated type.
  return Object.fromEntries(handlers) as MockHandlers<Handlers>;
}

/**
 * Makes a handler that answers every operation of a contract with its examples, or with values of its schemas. It refuses the same requests
 * as an engine of the contract, with the response that the contract declares for the status, or else with problem details (RFC 9457). Every
 * credential is accepted unless it begins with `wrong`.
 *
 * @param file - the path of the contract, YAML or JSON
 * @param options - `allowOrigins` are the origins from which documents are fetched; `progress` is called after each step of compiling the
 *   checks; `latency`, `fail` and `state` are those of `mockHandlers`
 * @throws ContractError with every fault of the contract
 *
 * @example
 * ```ts
 * createServer(nodeTransport(await mockHandler('openapi.yaml'))).listen(4010);
 * ```
 */
export async function mockHandler(
  file: string,
  options: RunOptions & MockOptions = {},
): Promise<HttpHandler> {
  const conditions = conditionsOf(options);
  const running = await runContract(file, options);
  return handlerOf(file, running, conditions, options.state === true ? sandboxOf(running) : undefined);
}

/** The sandbox of a contract that runs already. */
export function sandboxOf(running: RunningContract, options?: SandboxOptions): Sandbox {
  return new Sandbox(running, new MockAnswers(running, conditionsOf({})), options);
}

/** The mock of a contract that runs already. @throws CommandFailure if it has no operation */
export function handlerOf(
  file: string,
  running: RunningContract,
  conditions: Conditions = conditionsOf({}),
  sandbox?: Sandbox,
): HttpHandler {
  const { contract } = running;
  if (Object.keys(contract.operations).length === 0)
    throw new CommandFailure(`${file} has no operation to mock`);
  const answers = new MockAnswers(running, conditions);
  const engine = mockEngine(contract, (call, input) => {
    const remembered = () => marked(sandbox?.answer(call.operationId, input, call), 'state');
    return marked(answers.answerTo(call, remembered));
  });
  const refusals = new WeakMap<HttpRequest, HttpResponse>();
  const refusing = mockEngine(undemanding(contract), ({ operationId, request }) => {
    const { status, body } = refusals.get(request) ?? { status: 500 };
    const problem = typeof body === 'string' ? (JSON.parse(body) as Entity) : undefined;
    return marked(answers.refusal(operationId, status, problem));
  });
  const handler = async (request: HttpRequest): Promise<HttpResponse> => {
    const response = await engine(request);
    if (MARK in response.headers) return response;
    const { method, path } = request;
    const copy = memoryRequest({ method, path });
    refusals.set(copy, response);
    const declared = await refusing(copy);
    if (!(MARK in declared.headers)) return response;
    // The declared answer decides how the body is written, and which request headers that depends on.
    const ofBody = ['Content-Type', ...('Vary' in declared.headers ? ['Vary'] : [])];
    const others = Object.entries(response.headers).filter(([name]) => !ofBody.includes(name));
    return { ...declared, headers: { ...declared.headers, ...Object.fromEntries(others) } };
  };
  const late = async (request: HttpRequest): Promise<HttpResponse> =>
    conditions.late(await handler(request), request);
  return Object.assign(late, { serves: engine.serves });
}

/** The contract without the parts that could refuse a request. */
function undemanding(contract: RestContract): RestContract {
  const operations = Object.entries(contract.operations).map(([id, operation]) => {
    const { method, path, responses, extensions = {} } = operation;
    return [id, { method, path, responses, extensions, security: [] }] as const;
  });
  return { ...contract, operations: Object.fromEntries(operations) };
}

/** An answer with the header that marks those of mocks: `state` says that it is one of the sandbox. */
function marked(answer: Answer | undefined, mark = 'true'): Answer | undefined {
  return answer && { ...answer, headers: { [MARK]: mark, ...answer.headers } };
}

/** Makes the answer of an operation; undefined if the contract has no such answer. */
type AnswerOf<Context> = (context: Context, input: unknown) => Answer | undefined;

/** A handler that reads the request to its end before it answers. */
function mockOperation<Context>(answerOf: AnswerOf<Context>) {
  return async (input: unknown, context: Context): Promise<Answer> => {
    await readToEnd(input);
    const answer = answerOf(context, input);
    if (answer === undefined)
      throw new Problem(406, 'The contract has no such answer: see Prefer in the request');
    return answer;
  };
}

function mockEngine(contract: RestContract, answerOf: AnswerOf<CallContext<unknown>>): RestEngine<unknown> {
  const asXml = xmlEncoder(contract.xmlNames);
  return uniformEngine<unknown>(contract, {
    handler: mockOperation(answerOf),
    security: anybody,
    anonymous: undefined,
    // XML, streams, and JSON for all others, in which texts and files are written unchanged. Integers have all their digits.
    encoder: (mediaType, kind) => {
      if (kind === 'json') return exactJson;
      if (/(?<!svg)[/+]xml$/.test(mediaType)) return asXml;
      return (value) => (value instanceof Uint8Array ? value : (asStream(mediaType, value) ?? textOf(value)));
    },
    report: (error) => console.error(error),
  });
}

function anybody(scheme: SecurityScheme): SecurityHandler<unknown> {
  const isBasic = scheme.type === 'http' && scheme.scheme.toLowerCase() === 'basic';
  return {
    missing: 'A credential is missing: the mock takes any that does not begin with "wrong"',
    authenticate: (credential, { scopes }) => {
      const text = isBasic ? Buffer.from(credential, 'base64').toString() : credential;
      if (text.startsWith('wrong')) return { refused: 'A credential that begins with "wrong" is refused' };
      return { caller: undefined, scopes };
    },
  };
}
