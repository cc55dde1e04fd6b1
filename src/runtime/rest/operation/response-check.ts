/** Checks the media type, headers and body of answers, and of the engine's refusals, against the contract, in tests and in development. */

import type { Check, ResponseChecks } from '../../contract/contract.js';
import { type HttpResponse, isStreamed } from '../../http/message.js';
import { withoutBigints } from '../decode/exact.js';
import { failureOf } from '../../failures/check.js';
import type { Answer } from './handler.js';
import { type CompiledResponse, chooseRepresentation } from './response.js';
import { essenceOf, findByMediaType } from '../../http/media-type.js';
import type { RestOperation } from './operation.js';

/** @throws an error that names the operation, the status and the place that does not fit */
export function checkAnswer(
  operationId: string,
  answer: Answer,
  response: CompiledResponse,
  preferred: string | undefined,
  checks: ResponseChecks,
): void {
  const fail = (reason: string): never => {
    throw new Error(`${operationId} answered ${String(answer.status)} against its contract: ${reason}`);
  };
  checkHeaders(answer.headers ?? {}, response, checks, fail);
  if (response.representations.length === 0) {
    if (answer.body !== undefined) fail('this status has no body');
    return;
  }
  // A stream of items is checked item by item while it is sent; a stream of bytes is not checked.
  if (isStreamed(answer.body)) return;
  const check = checkNamed(checks, chooseRepresentation(response, answer.contentType, preferred).check);
  // The check gets the value after a round trip through JSON: undefined properties are gone, and dates are text.
  const sent: unknown =
    answer.body instanceof Uint8Array
      ? answer.body
      : JSON.parse(JSON.stringify(withoutBigints(answer.body ?? null)));
  if (check !== undefined && !check(sent)) fail(failureOf(check, sent, 'body'));
}

function checkHeaders(
  headers: Readonly<Record<string, unknown>>,
  response: CompiledResponse,
  checks: ResponseChecks,
  fail: (reason: string) => never,
): void {
  const declared = Object.entries(response.contract.headers ?? {});
  const sent = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  for (const [name, { required, check: checkName }] of declared) {
    const check = checkNamed(checks, checkName);
    const value = sent.get(name.toLowerCase());
    sent.delete(name.toLowerCase());
    if (value === undefined && required) fail(`the header ${name} is missing`);
    if (value !== undefined && check !== undefined && !check(withoutBigints(value)))
      fail(`header ${failureOf(check, value, name)}`);
  }
  for (const [name, value] of sent) {
    if (value !== undefined) fail(`the header ${name} is not declared`);
  }
}

/** @throws when there is no check of this name */
export function checkNamed(checks: ResponseChecks, name: string | undefined): Check | undefined {
  if (name === undefined) return undefined;
  const check = checks[name];
  if (check === undefined) throw new Error(`there is no response check ${name}`);
  return check;
}

/** The parts of an operation that its refusals depend on. */
export type RefusingOperation = Pick<RestOperation<never>, 'id' | 'responses' | 'vary'>;

/**
 * The reason why a refusal does not fit the contract; undefined when it fits. It may have undeclared headers: HTTP requires some,
 * such as `WWW-Authenticate`, and a client ignores those that it does not know.
 *
 * @param body - the value before encoding
 */
export function refusalFault(
  { id, responses }: RefusingOperation,
  { status, headers }: HttpResponse,
  body: unknown,
  checks: ResponseChecks,
): string | undefined {
  const fault = (reason: string): string =>
    `the engine refused a call of ${id} with ${String(status)} against its contract: ${reason}`;
  const response = responses.find(status);
  if (response === undefined) return fault('the status is not declared');
  const mediaType = essenceOf(String(headers['Content-Type']));
  const representation = findByMediaType(response.byMediaType, mediaType);
  if (representation === undefined) return fault(`${mediaType} is not declared`);
  const check = checkNamed(checks, representation.check);
  const sent: unknown = JSON.parse(JSON.stringify(body));
  if (check !== undefined && !check(sent)) return fault(failureOf(check, sent, 'body'));
  const texts = new Map(Object.entries(headers).map(([name, text]) => [name.toLowerCase(), text]));
  for (const [name, declared] of Object.entries(response.contract.headers ?? {})) {
    const text = texts.get(name.toLowerCase());
    if (text === undefined && declared.required) return fault(`the header ${name} is missing`);
    const headerCheck = checkNamed(checks, declared.check);
    if (text !== undefined && headerCheck !== undefined && !fits(headerCheck, text))
      return fault(`header ${failureOf(headerCheck, text, name)}`);
  }
  return undefined;
}

/** The headers of a problem are texts, but the check of a header may expect a number. */
function fits(check: Check, text: string | readonly string[]): boolean {
  return check(text) || (text !== '' && check(Number(text)));
}
