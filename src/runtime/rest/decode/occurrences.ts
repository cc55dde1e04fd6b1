/** Reads a value out of all the texts that a request gives under one name. */
import type { Coercion } from '../../contract.js';
import { firstOf, hasParts } from './first-of.js';
import { givenTwice, Mismatch } from './mismatch.js';
import type { Occurrences } from './name-table.js';
import type { Decode } from './percent.js';
import { compilePiece, readAll } from './piece.js';
import type { FromText } from './scalar.js';

export type FromOccurrences = (texts: Occurrences) => unknown;

/** Compiles what reads an array from any number of texts, and anything else from one. */
export function compileOccurrences(coercion: Coercion, decode: Decode): FromOccurrences {
  if ('anyOf' in coercion && hasParts(coercion)) {
    return firstOf(coercion, (alternative) => compileOccurrences(alternative, decode));
  }
  if ('anyOf' in coercion || coercion.type !== 'array') return once(compilePiece(coercion, decode));
  const read = compilePiece(coercion.items, decode);
  return (texts) => {
    if (typeof texts !== 'string') return readAll(texts, read);
    const values = readAll([texts], read);
    // A lone empty text that is no item is the empty array (the table's column "empty").
    return texts === '' && values instanceof Mismatch ? [] : values;
  };
}

/** Refuses a second text. */
export function once(read: FromText): FromOccurrences {
  return (texts) => (typeof texts === 'string' ? read(texts) : givenTwice);
}
