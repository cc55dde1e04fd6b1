/** Decodes the parameters of one location of a request, or the fields of a form. */

import type { Json, ParameterCodec } from '../../contract/contract.js';
import type { ProblemFailure } from '../../http/problem.js';
import { memberPointer } from '../../failures/json-value.js';
import { Mismatch, missing, requireNone } from './mismatch.js';
import { isNumber, setOwn } from './value.js';

export type Decoded = Record<string, unknown>;

export interface Entry<Source> {
  readonly name: string;
  /** Returns the value, a {@link Mismatch}, or undefined when it is absent. */
  readonly read: (source: Source) => unknown;
  readonly required?: true;
  readonly default?: Json;
  readonly lenient?: Leniency;
}

const NONE: readonly ProblemFailure[] = [];

/** The decoded value of a location without parameters, shared by all requests. */
const nothing: Decoded = Object.freeze({});

/** The function of a location without parameters. */
export const readNothing = (): Decoded => nothing;

/**
 * Compiles the entries of one location.
 *
 * @param place - the name of the location in errors
 * @returns a function that returns the values by name, in the order of the entries, and throws one `DecodeError` for all misfits
 */
export function compileLocation<Source>(
  place: string,
  entries: readonly Entry<Source>[],
): (source: Source) => Decoded {
  if (entries.length === 0) return readNothing;
  return (source) => {
    const result: Decoded = {};
    let failures = NONE;
    for (const { name, read, required, default: whenAbsent, lenient } of entries) {
      let value = read(source);
      if (value !== undefined) {
        if (lenient !== undefined) value = relax(value, lenient);
      } else if (required) value = missing;
      else if (whenAbsent !== undefined) value = fresh(whenAbsent);
      if (value instanceof Mismatch) failures = [...failures, value.at(`/${place}${memberPointer(name)}`)];
      else if (value !== undefined) setOwn(result, name, value);
    }
    if (failures.length > 0) requireNone(failures, result);
    return result;
  };
}

export type Leniency = NonNullable<ParameterCodec['lenient']>;

/**
 * Returns `maximum` for a larger number in any notation (`1e999`, `100.5`), `fallback` for any other refused value, and an
 * accepted value unchanged.
 */
export function relax(
  value: unknown,
  { fallback, minimum = -Infinity, maximum = Infinity }: Leniency,
): unknown {
  const number = value instanceof Mismatch ? refusedNumber(value) : value;
  if (typeof number === 'number' && number > maximum) return maximum;
  if (value instanceof Mismatch || (typeof value === 'number' && value < minimum)) return fresh(fallback);
  return value;
}

/** Copies a value of the contract, because a handler may change it. */
export function fresh(value: unknown): unknown {
  return typeof value === 'object' ? structuredClone(value) : value;
}

function refusedNumber({ text }: Mismatch): number | undefined {
  return text !== undefined && isNumber(text) ? Number(text) : undefined;
}
