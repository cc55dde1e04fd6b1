/** Checks the answers of handlers and the engine's refusals against the contract, in tests and in development. */

import { type HttpResponse, isStreamed } from '../../http/message.js';
import { withoutBigints } from '../decode/exact.js';
import type { GivenBody, ResponseChecker } from '../responses/response-checker.js';
import { type ResponseProblem, sentenceOf } from '../responses/response-problem.js';
import type { Answer } from './handler.js';
import type { RestOperation } from './operation.js';
import { type CompiledResponse, chooseRepresentation } from './response.js';

const NO_OTHERS: ReadonlySet<string> = new Set();

/** @throws an error that names the operation, the status and the place that does not fit */
export function checkAnswer(
  operationId: string,
  { status, headers = {}, contentType, body }: Answer,
  response: CompiledResponse,
  preferred: string | undefined,
  checker: ResponseChecker,
): void {
  const hasBody = response.representations.length > 0;
  const [problem] = checker.problemsOf({
    status,
    headers: withLowerCaseNames(headers),
    otherHeaders: NO_OTHERS,
    contentType: hasBody ? chooseRepresentation(response, contentType, preferred).mediaType : undefined,
    body: hasBody ? sentBody(body) : body === undefined ? undefined : { value: body },
  });
  if (problem !== undefined) throw againstContract(operationId, status, problem);
}

/** The error for an answer that the contract does not declare. */
export function againstContract(operationId: string, status: number, problem: ResponseProblem): Error {
  return new Error(`${operationId} answered ${String(status)} against its contract: ${sentenceOf(problem)}`);
}

function withLowerCaseNames(headers: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const name in headers) found[name.toLowerCase()] = withoutBigints(headers[name]);
  return found;
}

/** The value after a round trip through JSON: undefined properties are gone, and dates are text. */
function sentBody(body: unknown): GivenBody {
  // A stream of items is checked item by item while it is sent; a stream of bytes is not checked.
  if (isStreamed(body)) return 'unread';
  if (body instanceof Uint8Array) return { value: body };
  return { value: JSON.parse(JSON.stringify(withoutBigints(body ?? null))) };
}

/**
 * Checks the response of an `after` hook, if responses are checked. It may have undeclared headers.
 *
 * @param refusal - the status of a refusal: a hook may add to one that the operation does not declare
 * @throws an error that names the operation, the status and the place that does not fit
 */
export function checkReplacement(
  { id, checker }: RefusingOperation,
  response: unknown,
  refusal: number | undefined,
): asserts response is HttpResponse {
  const { status, headers, body } = response as Partial<HttpResponse>;
  if (status === undefined || headers === undefined)
    throw new Error(`an after hook of ${id} returned no response`);
  if (checker === undefined || status === refusal) return;
  const lowerCase = withLowerCaseNames(headers);
  const [problem] = checker.problemsOf({
    status,
    headers: lowerCase,
    hasTextHeaders: true,
    contentType: lowerCase['content-type'] as string | undefined,
    body:
      body === undefined
        ? undefined
        : isStreamed(body)
          ? 'unread'
          : { text: typeof body === 'string' ? body : new TextDecoder().decode(body) },
  });
  if (problem !== undefined) throw againstContract(id, status, problem);
}

/** The parts of an operation that its refusals depend on. */
export type RefusingOperation = Pick<RestOperation<never>, 'id' | 'checker' | 'vary'>;

/**
 * The sentence about a refusal that does not fit the contract; undefined when it fits. It may have undeclared headers: HTTP
 * requires some, such as `WWW-Authenticate`, and a client ignores those that it does not know.
 *
 * @param body - the value before encoding
 */
export function refusalFault(
  { id, checker }: RefusingOperation,
  { status, headers }: HttpResponse,
  body: unknown,
): string | undefined {
  const [problem] =
    checker?.problemsOf({
      status,
      headers: withLowerCaseNames(headers),
      hasTextHeaders: true,
      contentType: String(headers['Content-Type']),
      body: { value: JSON.parse(JSON.stringify(body)) },
    }) ?? [];
  return (
    problem &&
    `the engine refused a call of ${id} with ${String(status)} against its contract: ${sentenceOf(problem)}`
  );
}
