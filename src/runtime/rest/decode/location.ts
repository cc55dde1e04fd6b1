/** Decodes one location of a request: the same steps for each of its parameters. */

import type { Json, ParameterCodec } from '../../contract/contract.js';
import type { ProblemFailure } from '../../http/problem.js';
import { memberPointer } from '../../failures/pointer.js';
import { Mismatch, missing, requireNone } from './mismatch.js';
import { isNumber, setOwn } from './value.js';

export type Decoded = Record<string, unknown>;

export interface Entry<Source> {
  readonly name: string;
  /** Gives the value, a {@link Mismatch}, or undefined when it is absent. */
  readonly read: (source: Source) => unknown;
  readonly required?: true;
  readonly default?: Json;
  readonly lenient?: Leniency;
}

const NONE: readonly ProblemFailure[] = [];

/** The decoded value of a location with nothing to decode, shared by all requests. */
export const nothing: Decoded = Object.freeze({});

/**
 * Compiles the entries of one location.
 *
 * @param place how errors name the location
 * @returns a function that gives the values by name, in the order of the entries, and throws one `DecodeError` for all that do not fit
 */
export function compileLocation<Source>(
  place: string,
  entries: readonly Entry<Source>[],
): (source: Source) => Decoded {
  if (entries.length === 0) return () => nothing;
  return (source) => {
    const result: Decoded = {};
    let failures = NONE;
    for (const entry of entries) {
      const value = decodeEntry(entry, source);
      if (value instanceof Mismatch) {
        failures = [...failures, value.at(`/${place}${memberPointer(entry.name)}`)];
      } else if (value !== undefined) setOwn(result, entry.name, value);
    }
    if (failures.length > 0) requireNone(failures, result);
    return result;
  };
}

function decodeEntry<Source>(entry: Entry<Source>, source: Source): unknown {
  const value = entry.read(source);
  if (value === undefined) return entry.required ? missing : fresh(entry.default);
  return entry.lenient ? relax(value, entry.lenient) : value;
}

export type Leniency = NonNullable<ParameterCodec['lenient']>;

/**
 * Returns `maximum` for a number above it, in any notation (`1e999`, `100.5`), `fallback` for any other refused value,
 * and an accepted value unchanged.
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

/** Copies a value of the contract, so that a handler may change it. */
export function fresh(value: unknown): unknown {
  return typeof value === 'object' ? structuredClone(value) : value;
}

function refusedNumber({ text }: Mismatch): number | undefined {
  return text !== undefined && isNumber(text) ? Number(text) : undefined;
}
