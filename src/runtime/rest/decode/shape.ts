/** Reads a whole value, be it scalar, array or object, out of one text. */
import type { Coercion } from '../../contract.js';
import { firstOf } from './first-of.js';
import type { Grammar } from './grammar.js';
import { givenTwice, Mismatch } from './mismatch.js';
import { compilePiece, readAll } from './piece.js';
import type { FromText } from './scalar.js';
import { setOwn } from './set-own.js';

export type ObjectCoercion = Extract<Coercion, { type: 'object' }>;

/** What a property becomes that the contract says nothing of. */
export const plainText: Coercion = { type: 'string' };

/** Compiles what makes a value of a text in the given grammar. */
export function compileShape(coercion: Coercion, grammar: Grammar): FromText {
  if ('anyOf' in coercion) return firstOf(coercion, (alternative) => compileShape(alternative, grammar));
  switch (coercion.type) {
    case 'array':
      return compileList(coercion.items, grammar);
    case 'object':
      return compilePairs(coercion, grammar);
    default:
      return compileSingle(coercion, grammar);
  }
}

function compileSingle(coercion: Coercion, { scalar, decode }: Grammar): FromText {
  const read = compilePiece(coercion, decode);
  return (text) => {
    const piece = scalar(text);
    return typeof piece === 'string' ? read(piece) : piece;
  };
}

function compileList(items: Coercion, { list, decode }: Grammar): FromText {
  const read = compilePiece(items, decode);
  return (text) => {
    const pieces = list(text);
    return pieces instanceof Mismatch ? pieces : readAll(pieces, read);
  };
}

function compilePairs(coercion: ObjectCoercion, { pairs, decode }: Grammar): FromText {
  const properties = Object.entries(coercion.properties);
  const readers = new Map(properties.map(([name, value]) => [name, compilePiece(value, decode)]));
  const readOther = compilePiece(coercion.additional ?? plainText, decode);
  return (text) => {
    const pieces = pairs(text);
    if (pieces instanceof Mismatch) return pieces;
    const result: Record<string, unknown> = {};
    for (let index = 0; index < pieces.length; index += 2) {
      const name = decode(pieces[index] ?? '');
      if (typeof name !== 'string') return name;
      if (Object.hasOwn(result, name)) return givenTwice.within(name);
      const value = (readers.get(name) ?? readOther)(pieces[index + 1] ?? '');
      if (value instanceof Mismatch) return value.within(name);
      setOwn(result, name, value);
    }
    return result;
  };
}
