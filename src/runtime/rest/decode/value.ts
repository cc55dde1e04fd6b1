/** Reads values from single pieces of text, which other files have split off, and from lists of them. */

import type { Coercion, ScalarType } from '../../contract/contract.js';
import { isObject } from '../../failures/json-value.js';
import { Mismatch, unreadable } from './mismatch.js';

/** Compiles the function that reads a value from one encoded piece. */
export function compilePiece(coercion: Coercion, decode: Decode): FromText {
  const coerce = compileText(coercion);
  // A string is its text.
  if (coerce === verbatim) return decode;
  return (piece) => {
    const text = decode(piece);
    return typeof text === 'string' ? coerce(text) : text;
  };
}

/** The values of all pieces, in order, or the first mismatch. */
export function readAll(pieces: readonly string[], read: FromText): unknown {
  const values: unknown[] = [];
  for (let index = 0; index < pieces.length; index++) {
    const value = read(pieces[index] ?? '');
    if (value instanceof Mismatch) return value.within(index);
    values.push(value);
  }
  return values;
}

/** OpenAPI does not define arrays and objects inside arrays and objects: here they are JSON. */
function compileText(coercion: Coercion): FromText {
  if ('anyOf' in coercion) return firstOf(coercion, compileText);
  switch (coercion.type) {
    case 'json':
      return parseJson;
    case 'array':
      return (text) => checked(parseJson(text), Array.isArray, 'must be array');
    case 'object':
      return (text) => checked(parseJson(text), isObject, 'must be object');
    default:
      return compileScalar(coercion.type);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message repeats a piece of the text, which may be secret.
    return unreadable('must be JSON');
  }
}

function checked(value: unknown, fits: (value: unknown) => boolean, reason: string): unknown {
  return value instanceof Mismatch || fits(value) ? value : new Mismatch(reason);
}

/**
 * Compiles the alternatives, arrays and objects before scalars, because a string would accept any text.
 *
 * @param compile - compiles one alternative; its function returns undefined when the source has no text for it
 */
export function firstOf<Source>(
  { anyOf }: Extract<Coercion, { anyOf: readonly Coercion[] }>,
  compile: (alternative: Coercion) => (source: Source) => unknown,
): (source: Source) => unknown {
  const ordered = [...anyOf.filter(hasParts), ...anyOf.filter((alternative) => !hasParts(alternative))];
  const attempts = ordered.map(compile);
  const reason = `must be ${[...new Set(anyOf.flatMap(typeNames))].join(',')}`;
  return (source) => {
    let last: Mismatch | undefined;
    for (const attempt of attempts) {
      const value = attempt(source);
      if (value instanceof Mismatch) last = value;
      else if (value !== undefined) return value;
    }
    return last && new Mismatch(reason, last.text);
  };
}

export function hasParts(coercion: Coercion): boolean {
  if ('anyOf' in coercion) return coercion.anyOf.some(hasParts);
  return coercion.type === 'array' || coercion.type === 'object';
}

function typeNames(coercion: Coercion): readonly string[] {
  if ('anyOf' in coercion) return coercion.anyOf.flatMap(typeNames);
  return typeof coercion.type === 'string' ? [coercion.type] : coercion.type;
}

/** Returns the value of a text, or a {@link Mismatch}. */
export type FromText = (text: string) => unknown;

/** The number grammar of JSON (RFC 8259 §6): no `+`, no hexadecimal, no spaces. */
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const integer = /^-?(?:0|[1-9]\d*)$/;

/** The parser of each type, in the order in which a union tries them; it returns undefined for a text of another type. */
const parsers = new Map<ScalarType, (text: string) => unknown>([
  ['null', (text) => (text === 'null' || text === '' ? null : undefined)],
  ['boolean', (text) => (text === 'true' ? true : text === 'false' ? false : undefined)],
  ['exact', parseExact],
  ['integer', parseInteger],
  ['number', parseNumber],
  ['string', verbatim],
]);

export function isNumber(text: string): boolean {
  return number.test(text);
}

/**
 * Compiles scalar types into the function that reads them. An integer beyond 2^53 - 1, which would be rounded, is refused. So is
 * a number that would become Infinity.
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
    const tooLarge = types.includes('integer') && integer.test(text);
    const range = tooLarge ? ` from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}` : '';
    const names = types.map((type) => (type === 'exact' ? 'integer' : type));
    return new Mismatch(`must be ${names.join(',')}${range}`, text);
  };
}

function parseInteger(text: string): number | undefined {
  if (!integer.test(text)) return undefined;
  const value = Number(text);
  // Adding zero turns -0 into 0; JSON and equality treat -0 inconsistently.
  return Number.isSafeInteger(value) ? value + 0 : undefined;
}

function parseExact(text: string): number | bigint | undefined {
  // A longer text is not a 64-bit integer, and BigInt is slow for very long ones.
  if (!integer.test(text) || text.length > 20) return undefined;
  return parseInteger(text) ?? BigInt(text);
}

function parseNumber(text: string): number | undefined {
  if (!number.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value + 0 : undefined;
}

/** Sets a property whose name comes from a request: even `__proto__` becomes an ordinary own property. */
export function setOwn(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') {
    Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
  } else {
    target[name] = value;
  }
}

/** Decodes an encoded text. */
export type Decode = (text: string) => string | Mismatch;

const malformed = new Mismatch('is not valid percent-encoding');

/** Decodes paths (RFC 3986 §2.1) and, by common practice, cookies. */
export function decodePercent(text: string): string | Mismatch {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return malformed;
  }
}

/** Decodes queries and `application/x-www-form-urlencoded` bodies, in which `+` is a space. */
export function decodeForm(text: string): string | Mismatch {
  return decodePercent(text.includes('+') ? text.replaceAll('+', ' ') : text);
}

/** For strings, and for headers and multipart fields, which are not encoded. */
export function verbatim(text: string): string {
  return text;
}

/** Trims optional white space from both ends of a text: spaces and tabs only (RFC 9110 §5.6.3). */
export function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return start === 0 && end === text.length ? text : text.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
