/** Decodes the parameters of one location of a request, and reads cookies by name. */

import type { Json, ParameterCodec } from '../../contract/contract.js';
import type { ProblemFailure } from '../../http/problem.js';
import { memberPointer } from '../../failures/pointer.js';
import { Mismatch, missing, requireNone } from './mismatch.js';
import { type Given, NameTable } from './names.js';
import { isNumber, setOwn, trimBlanks } from './value.js';

export type Decoded = Record<string, unknown>;

export interface Entry<Source> {
  readonly name: string;
  /** Returns the value, a {@link Mismatch}, or undefined when it is absent. */
  readonly read: (source: Source) => unknown;
  readonly required?: true;
  readonly default?: Json;
  readonly lenient?: Leniency;
}

const NONE: readonly ProblemFailure[] = [];

/** The decoded value of a location without parameters, shared by all requests. */
export const nothing: Decoded = Object.freeze({});

/**
 * Compiles the entries of one location.
 *
 * @param place - the name of the location in errors
 * @returns a function that returns the values by name, in the order of the entries, and throws one `DecodeError` for all misfits
 */
export function compileLocation<Source>(
  place: string,
  entries: readonly Entry<Source>[],
): (source: Source) => Decoded {
  if (entries.length === 0) return () => nothing;
  return (source) => {
    const result: Decoded = {};
    let failures = NONE;
    for (const entry of entries) {
      const value = decodeEntry(entry, source);
      if (value instanceof Mismatch) {
        failures = [...failures, value.at(`/${place}${memberPointer(entry.name)}`)];
      } else if (value !== undefined) setOwn(result, entry.name, value);
    }
    if (failures.length > 0) requireNone(failures, result);
    return result;
  };
}

function decodeEntry<Source>(entry: Entry<Source>, source: Source): unknown {
  const value = entry.read(source);
  if (value === undefined) return entry.required ? missing : fresh(entry.default);
  return entry.lenient ? relax(value, entry.lenient) : value;
}

export type Leniency = NonNullable<ParameterCodec['lenient']>;

/**
 * Returns `maximum` for a larger number in any notation (`1e999`, `100.5`), `fallback` for any other refused value, and an
 * accepted value unchanged.
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

/** Copies a value of the contract, because a handler may change it. */
export function fresh(value: unknown): unknown {
  return typeof value === 'object' ? structuredClone(value) : value;
}

function refusedNumber({ text }: Mismatch): number | undefined {
  return text !== undefined && isNumber(text) ? Number(text) : undefined;
}

/** The rules for reading a group of cookies from the header. */
interface Notation {
  /** Several cookies of the same name are the items of a list; otherwise the first one counts. */
  readonly exploded: boolean;
  /** The style `cookie`: values are not decoded, and only a semicolon separates cookies. */
  readonly verbatim: boolean;
}

/**
 * Compiles the cookies of an operation. Those with the same rules share a table of names.
 *
 * @param isExploded - whether a cookie's value has parts, each in a separate cookie
 * @param compile - claims the names of a cookie in a table, and makes its reader
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
 * Names are not decoded; a value in the style `form` loses the quotes around it. Of several cookies with the same name, the
 * first is the most specific (RFC 6265 §5.4) and the only one that counts, unless they are members of an exploded value. These
 * may also be joined by `&`, as OpenAPI's table of styles writes the style `form`.
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
