/** Makes smaller variants of a request, each with one part left out. */

import type { GivenParameter } from '../running/wire-request.js';
import { type RequestCase, withBody } from './request-cases.js';
import { smallerValues } from './run/shrink.js';

export function* smallerCases(whole: RequestCase): Generator<RequestCase> {
  const { parts } = whole;
  const { operation, parameters, credentials } = parts;
  const bodiless = { operation, parameters, credentials };
  if (parts.body !== undefined && whole.bodyPath === undefined) yield { ...whole, parts: bodiless };
  const without = (given: GivenParameter) => parts.parameters.filter((each) => each !== given);
  for (const given of parts.parameters) {
    if (given.parameter.in !== 'path') yield { ...whole, parts: { ...parts, parameters: without(given) } };
  }
  for (const given of parts.parameters) {
    if (given.parameter !== whole.parameter) continue;
    for (const value of smallerValues(given.value)) {
      yield { ...whole, parts: { ...parts, parameters: [...without(given), { ...given, value }] } };
    }
  }
  if (parts.body === undefined) return;
  for (const value of smallerValues(parts.body.value)) yield { ...whole, parts: withBody(parts, value) };
}
