/** Validates decoded values against their schemas. */

import type { Check } from '../../contract/contract.js';
import { type ToldFailure, tellFailures } from '../../failures/check.js';
import type { Exchange } from './exchange.js';
import { type ProblemFailure, Problem } from '../../http/problem.js';

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

/** How many failures are told. */
const MOST = 20;

/** Of the pointer and the sentence together. The first failure is told in any case. */
const MOST_CHARACTERS = 1000;

/**
 * The failures to tell: each place and sentence once. A property that could not be decoded is not told as missing, too.
 *
 * @param failures - those of decoding before those of the schemas
 */
function boundedFailures(failures: readonly ProblemFailure[]): readonly ProblemFailure[] {
  const told = new Map<string, ProblemFailure>();
  const places = new Set<string>();
  for (const failure of failures) {
    const { pointer, keyword, detail } = failure;
    if (told.size === MOST) break;
    const isKnown = told.has(detail) || (keyword === 'required' && places.has(pointer));
    if (isKnown || (told.size > 0 && pointer.length + detail.length > MOST_CHARACTERS)) continue;
    told.set(detail, failure);
    places.add(pointer);
  }
  return [...told.values()];
}
