/** Checks the engine's own refusals against the contract, as its handlers' answers are. */

import type { Check, ResponseChecks } from '../../contract/contract.js';
import { failureOf } from '../../failures/check.js';
import { essenceOf, findByMediaType } from '../../http/media-type.js';
import type { HttpResponse } from '../../http/message.js';
import type { RestOperation } from './operation.js';
import { checkNamed } from './response-check.js';

/** An operation as far as its refusals are concerned. */
export type RefusingOperation = Pick<RestOperation<never>, 'id' | 'responses'>;

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
