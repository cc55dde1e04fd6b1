/** Describes the failure of a compiled check in one sentence. */

import type { Check, CheckError } from './contract.js';
import { closestFailures } from './closest-failures.js';

/**
 * The sentence for the first failure of a check that just answered false, such as `body/email must match format "email"`.
 * For a value that fits none of several schemas, it is the failure of the schema that the value comes closest to. Where
 * several are equally close, the sentence gives what each of them asks for.
 *
 * @param subject - what was checked, such as `body`; empty where the failure's path already starts with it
 */
export function failureOf(check: Check, subject: string): string {
  const failures = closestFailures(check.errors ?? []);
  const [error] = failures;
  if (error === undefined) return `${subject} is not valid`.trim();
  const place = subject + error.instancePath.replaceAll('~1', '/').replaceAll('~0', '~');
  const messages = new Set(failures.map((each) => `${each.message ?? 'is not valid'}${hintOf(each)}`));
  return `${subject === '' ? place.slice(1) : place} ${[...messages].join(' or ')}`;
}

/** What the message leaves out: the allowed values, or the name that is not allowed. */
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
