/** Checks answers, and the engine's own refusals, against the contract: media type, headers and body. Always on in tests, a setting in development. */

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
  // A stream is checked item by item as it is sent, if at all.
  if (isStreamed(answer.body)) return;
  const check = checkNamed(checks, chooseRepresentation(response, answer.contentType, preferred).check);
  // The check sees the value after JSON: undefined properties are gone, dates are text.
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

/** @throws when the checks do not have it */
export function checkNamed(checks: ResponseChecks, name: string | undefined): Check | undefined {
  if (name === undefined) return undefined;
  const check = checks[name];
  if (check === undefined) throw new Error(`there is no response check ${name}`);
  return check;
}

/** An operation as far as its refusals are concerned. */
export type RefusingOperation = Pick<RestOperation<never>, 'id' | 'responses' | 'vary'>;

/**
 * Why a refusal is not one that the contract declares; undefined when it is. Headers that the contract does not declare may
 * be sent with it: HTTP asks for some, such as `WWW-Authenticate`, and a client ignores those that it does not know.
 *
 * @param body - the value before it was encoded
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

/** Headers of a problem are texts, and the check of a header is for its value. */
function fits(check: Check, text: string | readonly string[]): boolean {
  return check(text) || (text !== '' && check(Number(text)));
}
