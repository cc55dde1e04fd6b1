/** Checks an answer against its contract: media type, headers and body. Always on in tests, a setting in development. */

import type { Check, ResponseChecks } from '../../contract/contract.js';
import { isStreamed } from '../../http/message.js';
import { failureOf } from '../../failures/check.js';
import type { Answer } from './handler.js';
import { type CompiledResponse, chooseRepresentation } from './response.js';

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
  // A stream cannot be checked before it is sent.
  if (isStreamed(answer.body)) return;
  const check = checkNamed(checks, chooseRepresentation(response, answer.contentType, preferred).check);
  // The check sees the value after JSON: undefined properties are gone, dates are text.
  const sent: unknown =
    answer.body instanceof Uint8Array ? answer.body : JSON.parse(JSON.stringify(answer.body ?? null));
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
    if (value !== undefined && check !== undefined && !check(value))
      fail(`header ${failureOf(check, value, name)}`);
  }
  for (const [name, value] of sent) {
    if (value !== undefined) fail(`the header ${name} is not declared`);
  }
}

export function checkNamed(checks: ResponseChecks, name: string | undefined): Check | undefined {
  if (name === undefined) return undefined;
  const check = checks[name];
  if (check === undefined) throw new Error(`there is no response check ${name}`);
  return check;
}
