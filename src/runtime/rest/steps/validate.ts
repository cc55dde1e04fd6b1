/** Validates decoded values against their schemas. */

import type { Check } from '../../contract/contract.js';
import { failureOf } from '../../failures/check.js';
import type { Exchange } from './exchange.js';
import { Problem } from '../../http/problem.js';

/** @throws a 400 `Problem` that names the first place that does not fit */
export function validate<Caller>({ operation, decoded, bodyCodec }: Exchange<Caller>): undefined {
  if (operation.checkParameters !== undefined) requireValid(operation.checkParameters, decoded, '');
  if (bodyCodec?.check !== undefined) requireValid(bodyCodec.check, decoded.body, 'body');
}

function requireValid(check: Check, value: unknown, subject: string): void {
  const failure = failureIn(check, value, subject);
  if (failure !== undefined) throw new Problem(400, failure);
}

function failureIn(check: Check, value: unknown, subject: string): string | undefined {
  try {
    return check(value) ? undefined : failureOf(check, value, subject);
  } catch (error) {
    // The check of a recursive schema calls itself for each level of the body, and can run out of stack.
    if (error instanceof RangeError) return 'body is nested too deeply';
    throw error;
  }
}
