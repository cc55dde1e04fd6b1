/** The grammar of each style that writes a value as one text: OpenAPI "Style Examples", which follow RFC 6570. */

import type { ParameterCodec, ParameterLocation } from '../../contract/contract.js';
import { type Decode, decodeForm, decodePercent, trimBlanks, verbatim } from './value.js';
import { Mismatch } from './mismatch.js';

/**
 * Three ways to read a text, one per shape of a value. Texts are split before they are decoded, so that an encoded
 * delimiter belongs to the value.
 */
export interface Grammar {
  readonly decode: Decode;
  readonly scalar: (text: string) => string | Mismatch;
  readonly list: (text: string) => string[] | Mismatch;
  /** Names and values, alternating. */
  readonly pairs: (text: string) => string[] | Mismatch;
}

/** The properties of a parameter that decide its grammar. */
type Notation = Pick<ParameterCodec, 'in' | 'name' | 'style' | 'explode'>;

const decodings: Readonly<Record<ParameterLocation, Decode>> = {
  path: decodePercent,
  query: decodeForm,
  querystring: decodeForm,
  header: verbatim,
  cookie: decodePercent,
};

/** The grammar of one parameter's text. */
export function grammarOf({ in: location, name, style, explode = false }: Notation): Grammar {
  // The style `cookie` has no percent-encoding (OpenAPI 3.2, Style Values).
  const decode = style === 'cookie' ? verbatim : decodings[location];
  switch (style) {
    case 'label':
      return prefixed(
        (text) => (text.startsWith('.') ? text.slice(1) : new Mismatch('must start with "."')),
        separated(decode, explode ? (text) => text.split('.') : atLabels, explode),
      );
    case 'matrix':
      return explode ? explodedMatrix(name) : prefixed(afterName(name), separated(decode, atCommas, false));
    case 'spaceDelimited':
      return separated(decode, (text) => text.split(/%20|\+| /), explode);
    case 'pipeDelimited':
      return separated(decode, (text) => text.split(/%7[Cc]|\|/), explode);
    default:
      return separated(
        decode, // Lists in headers may have blanks around their commas (RFC 9110 §5.6.1).
        location === 'header' ? (text) => text.split(',').map(trimBlanks) : atCommas,
        explode,
      );
  }
}

function separated(decode: Decode, split: (text: string) => string[], explode: boolean): Grammar {
  // An array or object without members is an empty text (column "empty" of OpenAPI's table).
  const list = (text: string): string[] => (text === '' ? [] : split(text));
  return {
    decode,
    scalar: verbatim,
    list,
    pairs: (text) => {
      const pieces = list(text);
      if (explode) return assignments(pieces);
      return pieces.length % 2 === 0 ? pieces : new Mismatch('must be names and values by turns');
    },
  };
}

function prefixed(strip: (text: string) => string | Mismatch, inner: Grammar): Grammar {
  const after = (read: (text: string) => string[] | Mismatch) => (text: string) => {
    const rest = strip(text);
    return typeof rest === 'string' ? read(rest) : rest;
  };
  return { decode: inner.decode, scalar: strip, list: after(inner.list), pairs: after(inner.pairs) };
}

/** `;color=blue;color=black`, `;R=100;G=200`. */
function explodedMatrix(name: string): Grammar {
  const scalar = afterName(name);
  return {
    decode: decodePercent,
    scalar,
    list(text) {
      const values: string[] = [];
      for (const piece of text.split(/(?=;)/)) {
        const value = scalar(piece);
        if (typeof value !== 'string') return value;
        values.push(value);
      }
      return values.length === 1 && values[0] === '' ? [] : values;
    },
    pairs(text) {
      if (!text.startsWith(';')) return new Mismatch('must start with ";"');
      if (text === `;${name}`) return [];
      const pieces = text.slice(1).split(';');
      // An empty value leaves out its `=` (RFC 6570 §3.2.7).
      return assignments(pieces.map((piece) => (piece.includes('=') ? piece : `${piece}=`)));
    },
  };
}

/** Removes `;name=`, or `;name` before an empty value. */
function afterName(name: string): (text: string) => string | Mismatch {
  const mismatch = new Mismatch(`must start with ";${name}="`);
  return (text) => {
    const at = text.indexOf('=');
    const found = at < 0 ? text : text.slice(0, at);
    if (!found.startsWith(';') || decodePercent(found.slice(1)) !== name) return mismatch;
    return at < 0 ? '' : text.slice(at + 1);
  };
}

function assignments(pieces: readonly string[]): string[] | Mismatch {
  const pairs: string[] = [];
  for (const piece of pieces) {
    const at = piece.indexOf('=');
    if (at < 0) return new Mismatch('must be a list of name=value');
    pairs.push(piece.slice(0, at), piece.slice(at + 1));
  }
  return pairs;
}

/** RFC 6570, OpenAPI 3.0.4 and 3.1.1 use commas; the tables of earlier versions use dots. */
function atLabels(text: string): string[] {
  return text.split(text.includes(',') ? ',' : '.');
}

function atCommas(text: string): string[] {
  return text.split(',');
}
