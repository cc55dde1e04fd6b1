/** `x-lenient`: makes something acceptable of a value that the schema refuses. */
import type { ParameterCodec } from '../../contract.js';
import { Mismatch } from './mismatch.js';
import { isNumber } from './scalar.js';

export type Leniency = NonNullable<ParameterCodec['lenient']>;

/**
 * Gives `maximum` for a number above it, however it is written (`1e999`, `100.5`), `fallback` for anything else
 * that is refused, and every other value as it is.
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

/** A copy of a value of the contract that the request may keep and change. */
export function fresh(value: unknown): unknown {
  return typeof value === 'object' ? structuredClone(value) : value;
}

function refusedNumber({ text }: Mismatch): number | undefined {
  return text !== undefined && isNumber(text) ? Number(text) : undefined;
}
