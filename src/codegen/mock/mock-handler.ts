/** The mock of a contract, as a handler. */

import {
  type HttpHandler,
  type HttpRequest,
  type HttpResponse,
  type Json,
  type RestContract,
  memoryRequest,
} from 'concordat';
import { CommandFailure } from 'concordat/terminal';
import { type RunOptions, runContract } from '../running/running-contract.js';
import { MARK, MockAnswers } from './mock-answers.js';
import { type AnswerOf, mockEngine } from './mock-engine.js';
import { preferenceOf } from './preference.js';

/**
 * Makes a handler that answers every operation of a contract with its examples, or with values of its schemas. It refuses the same requests
 * as an engine of the contract, with the response that the contract declares for the status, or else with problem details (RFC 9457). Every
 * credential is accepted unless it begins with `wrong`.
 *
 * @param file - the path of the contract, YAML or JSON
 * @param options - `allowOrigins` are the origins from which documents are fetched; `progress` is called after each step of compiling the
 *   checks
 * @throws ContractError with every fault of the contract
 *
 * @example
 * ```ts
 * createServer(nodeTransport(await mockHandler('openapi.yaml'))).listen(4010);
 * ```
 */
export async function mockHandler(file: string, options: RunOptions = {}): Promise<HttpHandler> {
  const running = await runContract(file, options);
  const { contract } = running;
  if (Object.keys(contract.operations).length === 0)
    throw new CommandFailure(`${file} has no operation to mock`);
  const answers = new MockAnswers(running);
  const marked = (answerOf: AnswerOf): AnswerOf => {
    return (context) => {
      const answer = answerOf(context);
      return answer && { ...answer, headers: { ...answer.headers, [MARK]: 'true' } };
    };
  };
  const answer: AnswerOf = ({ operationId, request, mediaType }) =>
    answers.answer(operationId, { ...preferenceOf(request), mediaType });
  const engine = mockEngine(contract, marked(answer));
  const refusals = new WeakMap<HttpRequest, HttpResponse>();
  const refuse: AnswerOf = ({ operationId, request }) => {
    const { status, body } = refusals.get(request) ?? { status: 500 };
    return answers.answer(operationId, {
      code: String(status),
      adaptations: (made) => adaptations(made, body),
    });
  };
  const refusing = mockEngine(undemanding(contract), marked(refuse));
  return async (request) => {
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
}

/** The contract without the parts that could refuse a request. */
function undemanding(contract: RestContract): RestContract {
  const operations = Object.entries(contract.operations).map(([id, operation]) => {
    const { method, path, responses, extensions = {} } = operation;
    return [id, { method, path, responses, extensions, security: [] }] as const;
  });
  return { ...contract, operations: Object.fromEntries(operations) };
}

/** Variants of a declared body that explain why a request is refused. @param refusal - the body of problem details */
function adaptations(made: Json, refusal: HttpResponse['body']): readonly Json[] {
  if (typeof refusal !== 'string') return [];
  const problem = JSON.parse(refusal) as Readonly<Record<string, Json>>;
  const { detail = '' } = problem;
  if (typeof made === 'string') return [detail];
  const named = ['detail', 'message', 'error'].find((name) => isTextIn(made, name));
  return [problem, ...(named === undefined ? [] : [{ ...(made as typeof problem), [named]: detail }])];
}

function isTextIn(value: Json, name: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return typeof (value as Readonly<Record<string, Json>>)[name] === 'string';
}
