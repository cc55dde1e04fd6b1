/** Turns the texts of a request's path, query, headers and cookies into the typed values of its operation. */

import type { Coercion, ParameterCodec } from '../../contract/contract.js';
import type { ProblemFailure } from '../../http/problem.js';
import { grammarOf } from './grammar.js';
import { DecodeError, collect, givenTwice, requireNone } from './mismatch.js';
import { compileNamed, compileShape } from './named-value.js';
import { type Given, NameTable, readQuery } from './names.js';
import { compilePiece, decodePercent, hasParts } from './value.js';
import { type Decoded, type Entry, compileCookies, compileLocation, nothing } from './location.js';
import { compileFormText } from './forms.js';

export interface RawParameters {
  /** The texts of the path template's parameters, by position, still percent-encoded. */
  readonly values: readonly string[];
  /** The text after the `?`; empty when there is none. */
  readonly query: string;
  /** By lower-case name; a repeated header is one text, joined by commas, or a list. */
  readonly headers: RawHeaders;
}

type RawHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

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
 * @returns a function that throws a `DecodeError` with all texts that do not fit, and with the values that do
 * @example
 * const decode = compileParameters([{ in: 'query', name: 'limit', style: 'form', value: { type: 'integer' } }]);
 * decode({ values: [], query: 'limit=5', headers: {} }).query; // { limit: 5 }
 */
export function compileParameters(
  codecs: readonly ParameterCodec[],
): (raw: RawParameters) => DecodedParameters {
  const at = (location: ParameterCodec['in']) => codecs.filter((codec) => codec.in === location);
  const path = compileLocation('path', at('path').map(pathEntry));
  const [queryString] = at('querystring');
  const query = queryString ? compileQueryString(queryString) : compileQuery(at('query'));
  const headers = compileLocation('headers', at('header').map(headerEntry));
  const cookies = compileCookies(at('cookie'), isExploded, compileNamedParameter);
  const decode = (raw: RawParameters): DecodedParameters => ({
    path: path(raw.values),
    query: query(raw.query),
    headers: headers(raw.headers),
    cookies: cookies(cookieHeader(raw.headers)),
  });
  return (raw) => {
    try {
      return decode(raw);
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      // Decode each location again to collect all failures; so requests that fit do not pay for collecting.
      const failures: ProblemFailure[] = [];
      const decoded: DecodedParameters = {
        path: collect(() => path(raw.values), failures),
        query: collect(() => query(raw.query), failures),
        headers: collect(() => headers(raw.headers), failures),
        cookies: collect(() => cookies(cookieHeader(raw.headers)), failures),
      };
      requireNone(failures, decoded);
      return decoded;
    }
  };
}

function pathEntry(codec: ParameterCodec): Entry<readonly string[]> {
  const read = compileShape(coercionOf(codec), grammarOf(codec));
  const index = codec.index ?? 0;
  return {
    ...codec,
    read: (values) => {
      const text = values[index];
      return text === undefined ? undefined : read(text);
    },
  };
}

function compileQuery(codecs: readonly ParameterCodec[]): (query: string) => Decoded {
  if (codecs.length === 0) return () => nothing;
  const names = new NameTable();
  const decode = compileLocation(
    'query',
    codecs.map((codec) => ({ ...codec, read: compileNamedParameter(codec, names) })),
  );
  return (query) => decode(readQuery(query, names, 'query'));
}

function headerEntry(codec: ParameterCodec): Entry<RawHeaders> {
  const coercion = coercionOf(codec);
  const read = compileShape(coercion, grammarOf(codec));
  const name = codec.name.toLowerCase();
  const isList = hasParts(coercion);
  return {
    ...codec,
    read: (headers) => {
      // Anything else is absent: undefined, or a property of the headers' prototype with this name.
      const text = headers[name];
      if (typeof text === 'string') return read(text);
      if (!Array.isArray(text)) return undefined;
      return isList || text.length === 1 ? read(text.join(',')) : givenTwice;
    },
  };
}

function cookieHeader({ cookie }: RawHeaders): string {
  return typeof cookie === 'string' ? cookie : (cookie ?? []).join('; ');
}

/** Exploded arrays and objects have one cookie per part. */
function isExploded(codec: ParameterCodec): boolean {
  return codec.explode === true && hasParts(coercionOf(codec));
}

function compileNamedParameter(codec: ParameterCodec, names: NameTable): (given: Given) => unknown {
  return compileNamed(coercionOf(codec), { ...codec, grammar: grammarOf(codec) }, names);
}

/** A parameter without a style has `content`, whose media type is JSON (OpenAPI Parameter Object). */
function coercionOf(codec: ParameterCodec): Coercion {
  return codec.style === undefined ? { type: 'json' } : codec.value;
}

/** Compiles a parameter that is the whole query. An empty query is an absent value. */
function compileQueryString(codec: ParameterCodec): (query: string) => Decoded {
  const { name, fields, value } = codec;
  const read = fields ? compileFormText(fields, `query/${name}`) : compilePiece(value, decodePercent);
  return compileLocation('query', [
    { ...codec, read: (query: string) => (query === '' ? undefined : read(query)) },
  ]);
}
