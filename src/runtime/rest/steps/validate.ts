/** Validates decoded values against their schemas. */

import type { Check } from '../../contract/contract.js';
import { type ToldFailure, tellFailures } from '../../failures/told-failures.js';
import type { Exchange } from './exchange.js';
import { Problem } from '../../http/problem.js';
import { boundedFailures } from './bounded-failures.js';

/** @throws a 400 `Problem` with everything in the request that does not fit */
export function validate<Caller>(exchange: Exchange<Caller>): undefined {
  const { operation, decoded, bodyCodec, failures } = exchange;
  const inParameters = failuresIn(operation.checkParameters, decoded, '');
  const inBody = failuresIn(bodyCodec?.check, decoded.body, '/body');
  if (failures.length === 0 && inParameters === undefined && inBody === undefined) return;
  const told = boundedFailures([...failures, ...(inParameters ?? []), ...(inBody ?? [])]);
  throw new Problem(400, told[0]?.detail ?? 'The request is not valid', {}, told);
}

function failuresIn(
  check: Check | undefined,
  value: unknown,
  place: string,
): readonly ToldFailure[] | undefined {
  try {
    return check === undefined || check(value) ? undefined : tellFailures(check, value, place);
  } catch (error) {
    // The check of a recursive schema calls itself for each level of the body, and can run out of stack.
    if (!(error instanceof RangeError)) throw error;
    return [{ pointer: place, keyword: '$ref', detail: 'body is nested too deeply' }];
  }
}
