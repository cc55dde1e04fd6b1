/** Puts the failure of a compiled check into one sentence. */

import type { Check, CheckError } from './contract.js';
import { closestFailures } from './closest-failures.js';

/**
 * The sentence for the first failure of a check that just answered false, such as `body/email must match format "email"`.
 * Of a value that fits none of several schemas it is the failure of the schema that the value comes closest to, and where
 * several are as close, what each of them asks for.
 *
 * @param subject - what the check looked at: `body`, or nothing where the first step of the place says it
 */
export function failureOf(check: Check, subject: string): string {
  const failures = closestFailures(check.errors ?? []);
  const [error] = failures;
  if (error === undefined) return `${subject} is not valid`.trim();
  const place = subject + error.instancePath.replaceAll('~1', '/').replaceAll('~0', '~');
  const messages = new Set(failures.map((each) => `${each.message ?? 'is not valid'}${hintOf(each)}`));
  return `${subject === '' ? place.slice(1) : place} ${[...messages].join(' or ')}`;
}

/** What the message leaves out: the value that is allowed, the name that is not. */
function hintOf({ keyword, params }: CheckError): string {
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
