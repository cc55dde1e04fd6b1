/** Validates decoded values against their schemas. */

import type { Check } from '../../contract/contract.js';
import { failureOf } from '../../contract/check.js';
import type { Exchange } from './exchange.js';
import { Problem } from '../../http/problem.js';

/** @throws a 400 `Problem` that names the first place that does not fit */
export function validate<Caller>({ operation, decoded, bodyCodec }: Exchange<Caller>): undefined {
  if (operation.checkParameters !== undefined) requireValid(operation.checkParameters, decoded, '');
  if (bodyCodec?.check !== undefined) requireValid(bodyCodec.check, decoded.body, 'body');
}

function requireValid(check: Check, value: unknown, subject: string): void {
  if (!isValid(check, value)) throw new Problem(400, failureOf(check, subject));
}

function isValid(check: Check, value: unknown): boolean {
  try {
    return check(value);
  } catch (error) {
    // The check of a recursive schema calls itself for each level of the body, and can run out of stack.
    if (error instanceof RangeError) throw new Problem(400, 'body is nested too deeply');
    throw error;
  }
}
