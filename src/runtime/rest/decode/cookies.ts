/** Decodes the cookies of a request, in the styles `form` and `cookie` (OpenAPI Parameter Object). */

import type { ParameterCodec } from '../../contract/contract.js';
import { trimBlanks } from './encoding.js';
import { type Decoded, type Entry, compileLocation, nothing } from './location.js';
import { type Given, NameTable } from './names.js';

/** How the header of a group of cookies is read. */
interface Notation {
  /** Several cookies of one name are the items of a list; otherwise the first of a name counts. */
  readonly exploded: boolean;
  /** The style `cookie`: values as they are sent, and no other separator than the semicolon. */
  readonly verbatim: boolean;
}

/**
 * Compiles the cookies of an operation; those that are read in the same way share a table of names.
 *
 * @param isExploded whether a cookie's value has parts, each in a cookie of its own
 * @param compile claims the names of a cookie in a table, and makes its reader
 */
export function compileCookies(
  codecs: readonly ParameterCodec[],
  isExploded: (codec: ParameterCodec) => boolean,
  compile: (codec: ParameterCodec, names: NameTable) => (given: Given) => unknown,
): (header: string) => Decoded {
  if (codecs.length === 0) return () => nothing;
  const tables: (Notation & { readonly names: NameTable })[] = [];
  const entries = codecs.map((codec): Entry<readonly Given[]> => {
    const notation = { exploded: isExploded(codec), verbatim: codec.style === 'cookie' };
    const index = tableFor(tables, notation);
    const read = compile(codec, tables[index]?.names ?? new NameTable());
    return { ...codec, read: (given) => given[index] && read(given[index]) };
  });
  const decode = compileLocation('cookies', entries);
  return (header) => decode(tables.map(({ names, ...notation }) => readCookies(header, names, notation)));
}

function tableFor(
  tables: (Notation & { readonly names: NameTable })[],
  { exploded, verbatim }: Notation,
): number {
  const known = tables.findIndex((table) => table.exploded === exploded && table.verbatim === verbatim);
  return known < 0 ? tables.push({ exploded, verbatim, names: new NameTable() }) - 1 : known;
}

/**
 * Names are taken as they are; a value in the style `form` loses the quotes around it. Of cookies with one name the first
 * is the most specific (RFC 6265 §5.4) and the only one that counts, unless they are the members of an exploded value,
 * which may also be joined by `&`, as OpenAPI's table of styles writes them in the style `form`.
 */
function readCookies(header: string, names: NameTable, { exploded, verbatim }: Notation): Given {
  const given = names.nothing();
  for (const piece of header.split(exploded && !verbatim ? /[;&]/ : ';')) {
    const equals = piece.indexOf('=');
    if (equals < 0) continue;
    const name = trimBlanks(piece.slice(0, equals));
    if (!exploded && names.has(given, name)) continue;
    const value = trimBlanks(piece.slice(equals + 1));
    names.add(given, name, verbatim ? value : unquoted(value));
  }
  return given;
}

function unquoted(value: string): string {
  return value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
}
