/** Decodes one location of a request: the same steps for each of its parameters. */

import type { Json, ParameterCodec } from '../../contract/contract.js';
import { DecodeError, Mismatch } from './mismatch.js';
import { isNumber, setOwn } from './value.js';

export type Decoded = Record<string, unknown>;

/** One parameter or field, compiled. */
export interface Entry<Source> {
  readonly name: string;
  /** Gives the value, a {@link Mismatch}, or undefined when it is absent. */
  readonly read: (source: Source) => unknown;
  readonly required?: true;
  readonly default?: Json;
  readonly lenient?: Leniency;
}

/** The decoded value of a location with nothing to decode, shared by all requests. */
export const nothing: Decoded = Object.freeze({});

/**
 * Compiles the entries of one location.
 *
 * @param place how errors name the location
 * @returns a function that gives the values by name, in the order of the entries, and throws a {@link DecodeError}
 */
export function compileLocation<Source>(
  place: string,
  entries: readonly Entry<Source>[],
): (source: Source) => Decoded {
  if (entries.length === 0) return () => nothing;
  return (source) => {
    const result: Decoded = {};
    for (const entry of entries) {
      const value = decodeEntry(entry, source, place);
      if (value !== undefined) setOwn(result, entry.name, value);
    }
    return result;
  };
}

function decodeEntry<Source>(entry: Entry<Source>, source: Source, place: string): unknown {
  const value = entry.read(source);
  if (value === undefined) {
    if (entry.required) throw new DecodeError(`${place}/${entry.name}`, missing);
    return fresh(entry.default);
  }
  if (entry.lenient) return relax(value, entry.lenient);
  if (value instanceof Mismatch) throw new DecodeError(`${place}/${entry.name}`, value);
  return value;
}

const missing = new Mismatch('is required');

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
