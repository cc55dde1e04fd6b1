/** Checks values against schemas. */

import { failuresOf } from '../failures/failures-of.js';
import { isObject } from '../failures/json-value.js';
import type { Parts } from './conjunction.js';

/** Whether a value fits, by the rules of the generated checks. Parts do not show which properties and items are unevaluated. */
export function fits(parts: Parts, value: unknown): boolean {
  const allOf = parts.map((part) => ({ ...part, unevaluatedProperties: true, unevaluatedItems: true }));
  const check = Object.assign(() => true, { schema: () => ({ allOf }) });
  return failuresOf(check, copied(value)).length === 0;
}

/** A copy for a check, because checks insert defaults. Files are not copied. */
export function copied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copied);
  if (!isObject(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, copied(each)]));
}

/** The values of `enum` and `const` that fit all parts; undefined if the parts have neither. */
export function listedValues(parts: Parts): readonly unknown[] | undefined {
  const listed = parts.find((part) => 'enum' in part || 'const' in part);
  if (listed === undefined) return undefined;
  const all = 'const' in listed ? [listed['const']] : (listed['enum'] as readonly unknown[]);
  return all.filter((value) => fits(parts, value));
}
