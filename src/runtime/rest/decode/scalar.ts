/** Turns text into a string, number, boolean or null. */
import type { ScalarType } from '../../contract.js';
import { Mismatch } from './mismatch.js';

/** Gives the value that a text stands for, or a {@link Mismatch}. */
export type FromText = (text: string) => unknown;

/** The number grammar of JSON (RFC 8259 §6): no `+`, no hexadecimal, no spaces. */
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const integer = /^-?(?:0|[1-9]\d*)$/;

/** By type, in the order in which a union tries them; undefined when the text is not of the type. */
const parsers = new Map<ScalarType, (text: string) => unknown>([
  ['null', (text) => (text === 'null' || text === '' ? null : undefined)],
  ['boolean', (text) => (text === 'true' ? true : text === 'false' ? false : undefined)],
  ['integer', parseInteger],
  ['number', parseNumber],
  ['string', (text) => text],
]);

/** Whether the text is a JSON number, of any size. */
export function isNumber(text: string): boolean {
  return number.test(text);
}

/**
 * Compiles scalar types into the function that reads them. An integer beyond 2^53 - 1 is refused rather than
 * rounded to another one, and so is a number that only Infinity could stand for.
 */
export function compileScalar(type: ScalarType | readonly ScalarType[]): FromText {
  const types = typeof type === 'string' ? [type] : type;
  const candidates = [...parsers].filter(([name]) => types.includes(name)).map(([, parse]) => parse);
  const [only] = candidates;
  if (types.length === 1 && types[0] === 'string' && only) return only;
  return (text) => {
    for (const parse of candidates) {
      const value = parse(text);
      if (value !== undefined) return value;
    }
    return refuse(text, types);
  };
}

function refuse(text: string, types: readonly ScalarType[]): Mismatch {
  const tooLarge = types.includes('integer') && integer.test(text);
  const range = tooLarge ? ` from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}` : '';
  return new Mismatch(`must be ${types.join(',')}${range}`, text);
}

function parseInteger(text: string): number | undefined {
  if (!integer.test(text)) return undefined;
  const value = Number(text);
  // Adding zero makes -0, which JSON and equality treat oddly, the ordinary zero.
  return Number.isSafeInteger(value) ? value + 0 : undefined;
}

function parseNumber(text: string): number | undefined {
  if (!number.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value + 0 : undefined;
}
