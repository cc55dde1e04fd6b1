/** Writes typed values into the path, query and headers of a request: OpenAPI "Style Examples", which follow RFC 6570. */

import type { FieldCodecs, ParameterStyle } from '../../contract/contract.js';
import type { ParameterNotation } from '../../contract/tool-table.js';
import { writeExactJson, encodeHeaderValue } from '../../http/response-writers.js';
import { filledPath } from '../../http/other-spellings.js';
import { Problem } from '../../http/problem.js';

/** Parameters in their written form. */
export interface WrittenParameters {
  readonly path: string;
  readonly query: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Writes the values of parameters.
 *
 * @param template - the path of the operation, as the contract writes it
 * @param valueOf - a parameter's value; a parameter whose value is undefined is left out
 * @throws a 400 `Problem` for a value that its location cannot hold, and for a path parameter without a value, or with an empty one
 */
export function writeParameters(
  template: string,
  parameters: readonly ParameterNotation[],
  valueOf: (parameter: ParameterNotation) => unknown,
): WrittenParameters {
  const segments = new Map<string, string>();
  const query: string[] = [];
  const cookies: string[] = [];
  const headers: Record<string, string> = {};
  for (const parameter of parameters) {
    const value = inJson(valueOf(parameter));
    if (value === undefined) continue;
    if (parameter.in === 'path') segments.set(parameter.name, inPath(parameter, value));
    else if (parameter.in === 'query') query.push(...assignments(parameter, value));
    else if (parameter.in === 'querystring') query.push(...wholeQuery(parameter, value));
    else if (parameter.in === 'cookie') cookies.push(...assignments(parameter, value));
    else headers[parameter.name.toLowerCase()] = inHeader(parameter, value);
  }
  if (cookies.length > 0) headers['cookie'] = cookies.join('; ');
  return { path: pathOf(template, segments), query: query.join('&'), headers };
}

function pathOf(template: string, segments: ReadonlyMap<string, string>): string {
  const path = filledPath(template, (name) => {
    const text = segments.get(name);
    if (text === undefined) throw new Problem(400, `path/${name} is required`);
    // `DELETE /users/` may be another operation: that of all users.
    if (text === '') throw new Problem(400, `path/${name} cannot be empty`);
    return text;
  });
  // URL parsers would resolve these segments to another path (RFC 3986 §5.2.4; URL Standard, "double-dot URL path segment").
  if (/\/(?:\.|%2e){1,2}(?=\/|$)/i.test(path))
    throw new Problem(400, 'a path cannot have the segments . and ..');
  return path;
}

type Encode = (text: string) => string;

const encodePercent: Encode = (text) => {
  try {
    return encodeURIComponent(text);
  } catch {
    throw new Problem(400, 'a value has half of a surrogate pair, which no URL can hold');
  }
};

/** Cookies of the style `cookie` are not encoded (OpenAPI 3.2), so only the characters of RFC 6265 §4.1.1 are allowed. */
const verbatim: Encode = (text) => {
  if (/^[!#-+\--:<-[\]-~]*$/.test(text)) return text;
  throw new Problem(400, 'a value has characters that no cookie can hold');
};

/** In the style `label` a dot separates the items, so a dot inside an item is encoded. */
const encodeLabel: Encode = (text) => encodePercent(text).replaceAll('.', '%2E');

function inPath({ name, style, explode = false }: ParameterNotation, value: unknown): string {
  switch (style) {
    case undefined:
      return encodePercent(writeExactJson(value));
    case 'label':
      return `.${joined(value, explode, explode ? '.' : ',', encodeLabel)}`;
    case 'matrix': {
      if (explode && hasParts(value)) return exploded(name, value, encodePercent).map(matrixPiece).join('');
      return matrixPiece([encodePercent(name), joined(value, false, ',', encodePercent)]);
    }
    default:
      return joined(value, explode, ',', encodePercent);
  }
}

/** An empty value is written without `=` (RFC 6570 §3.2.7). */
function matrixPiece([name, text]: readonly [name: string, text: string]): string {
  return text === '' ? `;${name}` : `;${name}=${text}`;
}

function inHeader({ name, style, explode = false }: ParameterNotation, value: unknown): string {
  try {
    return encodeHeaderValue(style === undefined ? writeExactJson(value) : value, explode);
  } catch (error) {
    throw new Problem(400, `headers/${name}: ${(error as TypeError).message}`);
  }
}

/** The query of a parameter `in: querystring`, which is the whole query (OpenAPI 3.2): a form, or else JSON. */
function wholeQuery({ fields }: ParameterNotation, value: unknown): readonly string[] {
  if (fields === undefined || !hasParts(value)) return [encodePercent(textOf(value))];
  return members(value).flatMap(([name, member]) =>
    assignments({ in: 'query', name, style: 'form', explode: true, ...fields[name] }, member),
  );
}

/**
 * Writes the fields of a form in their styles. Fields that are undefined or null are left out.
 *
 * @param codecs - by name; a field without a codec is written as JSON if it is an object
 * @returns `application/x-www-form-urlencoded`
 * @throws a 400 `Problem` for a text that no form can hold
 */
export function writeFields(codecs: FieldCodecs, fields: Readonly<Record<string, unknown>>): string {
  const texts = Object.entries(fields).flatMap(([name, given]) => {
    const value = inJson(given);
    if (value === undefined || value === null) return [];
    const codec = Object.hasOwn(codecs, name) ? codecs[name] : undefined;
    const isJson =
      codec === undefined
        ? hasParts(value) && !Array.isArray(value)
        : 'type' in codec.value && codec.value.type === 'json';
    const { style = 'form', explode = true } = codec ?? {};
    return assignments({ in: 'query', name, explode, ...(!isJson && { style }) }, value);
  });
  return texts.join('&');
}

/** The `name=text` pieces of a query or cookie parameter. */
function assignments({ name, style, explode = false }: ParameterNotation, value: unknown): readonly string[] {
  const encode = style === 'cookie' ? verbatim : encodePercent;
  return pairs().map(([key, text]) => `${key}=${text}`);

  function pairs(): readonly (readonly [name: string, text: string])[] {
    if (style === undefined) return [[encodePercent(name), encodePercent(writeExactJson(value))]];
    if (style === 'deepObject') return deep(name, value);
    if (explode && hasParts(value)) return exploded(name, value, encode);
    return [[encodePercent(name), joined(value, false, DELIMITERS[style] ?? ',', encode)]];
  }
}

const DELIMITERS: Readonly<Partial<Record<ParameterStyle, string>>> = {
  spaceDelimited: '%20',
  pipeDelimited: '%7C',
};

/** One pair per item of an array, with the parameter's name; one per member of an object, with the member's name. */
function exploded(
  name: string,
  value: object,
  encode: Encode,
): readonly (readonly [name: string, text: string])[] {
  if (!Array.isArray(value)) {
    return members(value).flatMap(([key, member]) =>
      [member].flat().map((each) => [encode(key), encode(textOf(each))] as const),
    );
  }
  return value.map((item) => [encode(name), encode(textOf(item))]);
}

/** `color[R]=100&color[G]=200`. */
function deep(name: string, value: unknown): readonly (readonly [name: string, text: string])[] {
  if (Array.isArray(value)) return value.map((item) => [encodePercent(name), encodePercent(textOf(item))]);
  if (!hasParts(value)) return [[encodePercent(name), encodePercent(textOf(value))]];
  return members(value).flatMap(([key, member]) => deep(`${name}[${key}]`, member));
}

/** A value as one text: `blue,black`, `R,100,G,200` or, exploded, `R=100,G=200`. */
function joined(value: unknown, explode: boolean, delimiter: string, encode: Encode): string {
  if (Array.isArray(value)) return value.map((item) => encode(textOf(item))).join(delimiter);
  if (!hasParts(value)) return encode(textOf(value));
  return members(value)
    .map(([key, member]) => `${encode(key)}${explode ? '=' : delimiter}${encode(textOf(member))}`)
    .join(delimiter);
}

function hasParts(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function members(value: object): readonly (readonly [name: string, value: unknown])[] {
  return Object.entries(value as Readonly<Record<string, unknown>>).filter(
    ([, member]) => member !== undefined,
  );
}

/** A value with a `toJSON` method, such as a date, is written in its JSON form. */
function inJson(value: unknown): unknown {
  return hasParts(value) && 'toJSON' in value && typeof value.toJSON === 'function'
    ? (value.toJSON as () => unknown).call(value)
    : value;
}

/** Arrays and objects inside arrays and objects are written as JSON, which is how the engine reads them. */
function textOf(value: unknown): string {
  const plain = inJson(value);
  return typeof plain === 'string' ? plain : writeExactJson(plain);
}
