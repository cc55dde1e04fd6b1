/** Tries values on schemas. */

import { failuresOf } from '../failures/failures-of.js';
import { isObject } from '../failures/json-value.js';
import type { Parts } from './conjunction.js';

/** Whether a value fits, as the generated check says it. What is unevaluated cannot be told of parts alone. */
export function fits(parts: Parts, value: unknown): boolean {
  const allOf = parts.map((part) => ({ ...part, unevaluatedProperties: true, unevaluatedItems: true }));
  const check = Object.assign(() => true, { schema: () => ({ allOf }) });
  return failuresOf(check, copied(value)).length === 0;
}

/** A copy for a check, which inserts defaults. Files are not changed. */
export function copied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copied);
  if (!isObject(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, copied(each)]));
}

/** The values of `enum` and `const` that fit all parts; undefined where there is neither. */
export function listedValues(parts: Parts): readonly unknown[] | undefined {
  const listed = parts.find((part) => 'enum' in part || 'const' in part);
  if (listed === undefined) return undefined;
  const all = 'const' in listed ? [listed['const']] : (listed['enum'] as readonly unknown[]);
  return all.filter((value) => fits(parts, value));
}
