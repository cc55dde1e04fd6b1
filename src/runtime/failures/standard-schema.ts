/** The entry point `@concordat/runtime/standard-schema`: generated checks as schemas of the Standard Schema specification, version 1. */

import type { Check, Convert } from '../contract/contract.js';
import { placeOf } from './failure.js';
import { failuresOf } from './failures-of.js';
import { copied, unescaped } from './json-value.js';
import { requirementOf } from './sentences.js';

/** Has the shape of `StandardSchemaV1` of `@standard-schema/spec`, for libraries that take such schemas. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    /** Checks a value, which stays as it is: defaults and conversions are in the result. */
    readonly validate: (value: unknown) => StandardResult<Output>;
    /** For the compiler only: it is always absent at run time. */
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** The value, or the failures of a value that does not fit. */
export type StandardResult<Output> =
  { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  /** The requirement, such as `must match format "email"`. */
  readonly message: string;
  /** The keys that lead to the part of the value that does not fit, or that is missing. */
  readonly path: readonly (string | number)[];
}

/** The schema of a generated check, for the generated file `standard-schemas.ts`. @param decode - converts a value that fits */
export function standardSchema<Input, Output = Input>(
  check: Check,
  decode?: Convert,
): StandardSchema<Input, Output> {
  const validate = (value: unknown): StandardResult<Output> => {
    try {
      const copy = copied(value);
      if (check(copy)) return { value: (decode ? decode(copy) : copy) as Output };
    } catch (error) {
      // The check of a recursive schema calls itself for each level of the value and can run out of stack.
      if (error instanceof RangeError) return { issues: [{ message: 'is nested too deeply', path: [] }] };
      if (!(error instanceof TypeError)) throw error;
      return { issues: [{ message: error.message, path: placeOf(error) }] };
    }
    const issues = failuresOf(check, copied(value)).map((failure): StandardIssue => {
      const { place, requirement } = requirementOf(failure);
      return { message: requirement, path: pathOf(place, value) };
    });
    return { issues: issues.length === 0 ? [{ message: 'is not valid', path: [] }] : issues };
  };
  const standard = { version: 1, vendor: 'concordat', validate } as const;
  return { '~standard': standard };
}

/** The keys of a JSON Pointer, in which those of the items of lists are numbers. */
function pathOf(pointer: string, value: unknown): readonly (string | number)[] {
  let inner = value;
  return pointer
    .split('/')
    .slice(1)
    .map((token) => {
      const key = Array.isArray(inner) ? Number(token) : unescaped(token);
      inner = (inner as Readonly<Record<string | number, unknown>> | undefined | null)?.[key];
      return key;
    });
}
