/** Reads a whole value (scalar, array or object) from one text or from all texts under one name. */

import type { Coercion } from '../../contract/contract.js';
import type { Decode } from './encoding.js';
import type { Grammar } from './grammar.js';
import { Mismatch, givenTwice } from './mismatch.js';
import type { Occurrences } from './names.js';
import { type FromText, compilePiece, firstOf, hasParts, readAll, setOwn } from './value.js';

export type ObjectCoercion = Extract<Coercion, { type: 'object' }>;

/** The coercion of a property that the contract does not name. */
export const plainText: Coercion = { type: 'string' };

/** Compiles the function that reads a value from a text in the given grammar. */
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

export type FromOccurrences = (texts: Occurrences) => unknown;

/** Compiles the function that reads an array from any number of texts, and any other value from one. */
export function compileOccurrences(coercion: Coercion, decode: Decode): FromOccurrences {
  if ('anyOf' in coercion && hasParts(coercion)) {
    return firstOf(coercion, (alternative) => compileOccurrences(alternative, decode));
  }
  if ('anyOf' in coercion || coercion.type !== 'array') return once(compilePiece(coercion, decode));
  const read = compilePiece(coercion.items, decode);
  return (texts) => {
    if (typeof texts !== 'string') return readAll(texts, read);
    const values = readAll([texts], read);
    // A single empty text that is not a valid item is the empty array (the table's column "empty").
    return texts === '' && values instanceof Mismatch ? [] : values;
  };
}

/** Refuses a second text. */
export function once(read: FromText): FromOccurrences {
  return (texts) => (typeof texts === 'string' ? read(texts) : givenTwice);
}
