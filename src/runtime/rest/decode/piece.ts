/** Reads one piece of text that has been split off already, and lists of such pieces. */
import type { Coercion } from '../../contract.js';
import { firstOf } from './first-of.js';
import { Mismatch } from './mismatch.js';
import type { Decode } from './percent.js';
import { compileScalar, type FromText } from './scalar.js';

/** Compiles what makes a value of one encoded piece. */
export function compilePiece(coercion: Coercion, decode: Decode): FromText {
  const coerce = compileText(coercion);
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

/** OpenAPI leaves arrays and objects inside arrays and objects undefined: here they are JSON. */
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
  } catch (error) {
    return new Mismatch(`must be JSON: ${(error as SyntaxError).message}`, text);
  }
}

function checked(value: unknown, fits: (value: unknown) => boolean, reason: string): unknown {
  return value instanceof Mismatch || fits(value) ? value : new Mismatch(reason);
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
