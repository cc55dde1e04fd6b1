/** Turns the texts of a request's path, query, headers and cookies into the typed values of its operation. */

import { requireCodecs } from '../../contract/body-codecs.js';
import type { Coercion, ParameterCodec } from '../../contract/contract.js';
import type { ProblemFailure } from '../../http/problem.js';
import { grammarOf } from './grammar.js';
import { DecodeError, collect, givenTwice, requireNone, Mismatch, missing } from './mismatch.js';
import { compileNamed, compileShape } from './named-value.js';
import { type CookieNotation, type Given, NameTable, readCookies, readQuery } from './name-table.js';
import { compilePiece, decodePercent, hasParts, isNumber, setOwn } from './value.js';
import { memberPointer } from '../../failures/json-value.js';

export interface RawParameters {
  /** The texts of the path template's parameters, by position, still percent-encoded. */
  readonly values: readonly string[];
  /** The text after the `?`; empty when there is none. */
  readonly query: string;
  /** By lower-case name; a repeated header is one text, joined by commas, or a list. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** The values by parameter name, as the contract spells it; an absent parameter has no property. */
export interface DecodedParameters {
  readonly path: Decoded;
  readonly query: Decoded;
  readonly headers: Decoded;
  readonly cookies: Decoded;
}

/**
 * Compiles an operation's parameters into the function that decodes them for each request (OpenAPI Parameter Object).
 * Query parameters, headers and cookies without a codec are ignored.
 *
 * @param template - the path of the operation, as the contract writes it: its names have the order of the values of a path
 * @param bodyCodecs - those of the contract, for a query that is a form
 * @returns a function that throws a `DecodeError` with all texts that do not fit, and with the values that do
 * @example
 * const decode = compileParameters([{ in: 'query', name: 'limit', style: 'form', value: { type: 'integer' } }]);
 * decode({ values: [], query: 'limit=5', headers: {} }).query; // { limit: 5 }
 */
export function compileParameters(
  codecs: readonly ParameterCodec[],
  template = '',
  bodyCodecs?: object,
): (raw: RawParameters) => DecodedParameters {
  const at = (location: ParameterCodec['in']) => codecs.filter((codec) => codec.in === location);
  const path = compileLocation('path', at('path').map(pathEntry(namesInPath(template))));
  const [queryString] = at('querystring');
  const query = queryString ? compileQueryString(queryString, bodyCodecs) : compileQuery(at('query'));
  const headers = compileLocation('headers', at('header').map(headerEntry));
  const cookies = compileCookies(at('cookie'));
  return (raw) => {
    try {
      return { path: path(raw), query: query(raw), headers: headers(raw), cookies: cookies(raw) };
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      // Decode each location again to collect all failures; so requests that fit do not pay for collecting.
      const failures: ProblemFailure[] = [];
      const decoded: DecodedParameters = {
        path: collect(() => path(raw), failures),
        query: collect(() => query(raw), failures),
        headers: collect(() => headers(raw), failures),
        cookies: collect(() => cookies(raw), failures),
      };
      requireNone(failures, decoded);
      return decoded;
    }
  };
}

/** Decodes the parameters of one location. */
type Decoder = (raw: RawParameters) => Decoded;

/** The names of the parameters in a path template, in the order of the values that the router finds. */
export function namesInPath(template: string): readonly string[] {
  return [...template.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
}

const pathEntry =
  (names: readonly string[]) =>
  (codec: ParameterCodec): Entry<RawParameters> => {
    const read = compileShape(coercionOf(codec), grammarOf(codec));
    const index = names.indexOf(codec.name);
    return {
      ...codec,
      read: ({ values }) => {
        const text = values[index];
        return text === undefined ? undefined : read(text);
      },
    };
  };

function compileQuery(codecs: readonly ParameterCodec[]): Decoder {
  if (codecs.length === 0) return readNothing;
  const names = new NameTable();
  const decode = compileLocation(
    'query',
    codecs.map((codec) => ({ ...codec, read: compileNamedParameter(codec, names) })),
  );
  const mayBeEmpty = codecs.every((codec) => codec.required !== true && codec.default === undefined);
  return ({ query }) => (query === '' && mayBeEmpty ? {} : decode(readQuery(query, names, 'query')));
}

function headerEntry(codec: ParameterCodec): Entry<RawParameters> {
  const coercion = coercionOf(codec);
  const read = compileShape(coercion, grammarOf(codec));
  const name = codec.name.toLowerCase();
  const isList = hasParts(coercion);
  return {
    ...codec,
    read: ({ headers }) => {
      // Anything else is absent: undefined, or a property of the headers' prototype with this name.
      const text = headers[name];
      if (typeof text === 'string') return read(text);
      if (!Array.isArray(text)) return undefined;
      return isList || text.length === 1 ? read(text.join(',')) : givenTwice;
    },
  };
}

/** Compiles the cookies of an operation. Those with the same rules share a table of names. */
function compileCookies(codecs: readonly ParameterCodec[]): Decoder {
  if (codecs.length === 0) return readNothing;
  const tables: (CookieNotation & { readonly names: NameTable })[] = [];
  const entries = codecs.map((codec): Entry<readonly Given[]> => {
    // Exploded arrays and objects have one cookie per part.
    const exploded = codec.explode === true && hasParts(coercionOf(codec));
    const verbatim = codec.style === 'cookie';
    let index = tables.findIndex((table) => table.exploded === exploded && table.verbatim === verbatim);
    if (index < 0) index = tables.push({ exploded, verbatim, names: new NameTable() }) - 1;
    const read = compileNamedParameter(codec, tables[index]?.names ?? new NameTable());
    return {
      ...codec,
      read: (given) => {
        const own = given[index];
        return own && read(own);
      },
    };
  });
  const decode = compileLocation('cookies', entries);
  return ({ headers: { cookie = [] } }) => {
    const header = typeof cookie === 'string' ? cookie : cookie.join('; ');
    return decode(tables.map(({ names, ...notation }) => readCookies(header, names, notation)));
  };
}

function compileNamedParameter(codec: ParameterCodec, names: NameTable): (given: Given) => unknown {
  return compileNamed(coercionOf(codec), { ...codec, grammar: grammarOf(codec) }, names);
}

/** A parameter without a style has `content`, whose media type is JSON (OpenAPI Parameter Object). */
function coercionOf(codec: ParameterCodec): Coercion {
  return codec.style === undefined ? { type: 'json' } : codec.value;
}

/** Compiles a parameter that is the whole query. An empty query is an absent value. */
function compileQueryString(codec: ParameterCodec, bodyCodecs: object | undefined): Decoder {
  const { name, fields, value } = codec;
  const read = fields
    ? requireCodecs(bodyCodecs).formText(fields, `query/${name}`)
    : compilePiece(value, decodePercent);
  return compileLocation('query', [
    { ...codec, read: ({ query }: RawParameters) => (query === '' ? undefined : read(query)) },
  ]);
}

export type Decoded = Record<string, unknown>;

export interface Entry<Source> extends Pick<ParameterCodec, 'name' | 'required' | 'default' | 'lenient'> {
  /** Returns the value, a {@link Mismatch}, or undefined when it is absent. */
  readonly read: (source: Source) => unknown;
}

const NONE: readonly ProblemFailure[] = [];

/** The decoded value of a location without parameters, shared by all requests. */
const nothing: Decoded = Object.freeze({});

/** The function of a location without parameters. */
const readNothing = (): Decoded => nothing;

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
  if (entries.length === 0) return readNothing;
  return (source) => {
    const result: Decoded = {};
    let failures = NONE;
    for (const { name, read, required, default: whenAbsent, lenient } of entries) {
      let value = read(source);
      if (value !== undefined) {
        if (lenient !== undefined) value = relax(value, lenient);
      } else if (required) value = missing;
      else if (whenAbsent !== undefined) value = fresh(whenAbsent);
      if (value instanceof Mismatch) failures = [...failures, value.at(`/${place}${memberPointer(name)}`)];
      else if (value !== undefined) setOwn(result, name, value);
    }
    if (failures.length > 0) requireNone(failures, result);
    return result;
  };
}

type Leniency = NonNullable<ParameterCodec['lenient']>;

/**
 * Returns `maximum` for a larger number in any notation (`1e999`, `100.5`), `fallback` for any other refused value, and an
 * accepted value unchanged.
 */
function relax(value: unknown, { fallback, minimum = -Infinity, maximum = Infinity }: Leniency): unknown {
  const { text } = value instanceof Mismatch ? value : {};
  const number = text !== undefined && isNumber(text) ? Number(text) : value;
  if (typeof number === 'number' && number > maximum) return maximum;
  if (value instanceof Mismatch || (typeof value === 'number' && value < minimum)) return fresh(fallback);
  return value;
}

/** Copies a value of the contract, because a handler may change it. */
function fresh(value: unknown): unknown {
  return typeof value === 'object' ? structuredClone(value) : value;
}
