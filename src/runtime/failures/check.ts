/** Describes the failure of a compiled check in one sentence. */

import type { Check } from '../contract/contract.js';
import type { Failure } from './failure.js';
import { failuresOf } from './failures-of.js';
import { closestFailures } from './closest-failures.js';

/**
 * The sentence for the first failure of a value that a check refused, such as `body/email must match format "email"`.
 *
 * @param subject - the name of the value, such as `body`; empty where the failure's path already starts with it
 */
export function failureOf(check: Check, value: unknown, subject: string): string {
  const [first] = failuresOf(check, value);
  return first === undefined ? `${subject} is not valid`.trim() : sentenceOf(first, subject);
}

/**
 * The sentence for one failure. For a value that fits none of several schemas, it is the failure of the schema that the
 * value comes closest to. Where several are equally close, the sentence gives what each of them asks for.
 */
export function sentenceOf(failure: Failure, subject: string): string {
  const told = closestFailures(failure);
  const place = subject + told[0].instancePath.replaceAll('~1', '/').replaceAll('~0', '~');
  const messages = new Set(told.map((each) => `${each.message}${hintOf(each)}`));
  return `${subject === '' ? place.slice(1) : place} ${[...messages].join(' or ')}`;
}

/** What the message leaves out: the allowed values, or the name that is not allowed. */
function hintOf({ keyword, params }: Failure): string {
  switch (keyword) {
    case 'enum':
      return Array.isArray(params['allowedValues'])
        ? `: ${params['allowedValues'].map(shown).join(', ')}`
        : '';
    case 'const':
      return `: ${shown(params['allowedValue'])}`;
    case 'additionalProperties':
      return `: ${shown(params['additionalProperty'])}`;
    case 'unevaluatedProperties':
      return `: ${shown(params['unevaluatedProperty'])}`;
    default:
      return '';
  }
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
