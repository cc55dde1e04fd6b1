/** Tells every failure of a value that a check refused, each with its place, its keyword and a sentence. */

import type { Check } from '../contract/contract.js';
import { sentenceOf } from './check.js';
import { closestFailures } from './closest-failures.js';
import type { Failure } from './failure.js';
import { failuresOf } from './failures-of.js';

/** One failure as a client is told of it. */
export interface ToldFailure {
  /** JSON Pointer. */
  readonly pointer: string;
  /** The keyword of the schema. */
  readonly keyword: string;
  /** One sentence that names the place. */
  readonly detail: string;
}

/**
 * The failures of a value that a check refused, at least one.
 *
 * @param place - the JSON Pointer of the value, such as `/body`; empty for the whole request
 */
export function tellFailures(check: Check, value: unknown, place: string): readonly ToldFailure[] {
  const subject = place.slice(1);
  const failures = failuresOf(check, value);
  // A check by hand has no schema to tell the failure from.
  if (failures.length === 0)
    return [{ pointer: place, keyword: 'not', detail: `${subject} is not valid`.trim() }];
  return failures.map((failure) => {
    const [closest] = closestFailures(failure);
    return {
      pointer: place + closest.instancePath + concernedMember(closest),
      keyword: closest.keyword,
      detail: sentenceOf(failure, subject),
    };
  });
}

/** The property that a failure of its object is about: one that is missing, or that must not be there. */
function concernedMember({ params }: Failure): string {
  const name = MEMBERS.map((member) => params[member]).find((each) => typeof each === 'string');
  return name === undefined ? '' : `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

const MEMBERS = ['missingProperty', 'additionalProperty', 'unevaluatedProperty', 'propertyName'];
