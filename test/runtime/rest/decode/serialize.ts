/** Writes values as OpenAPI's table of styles says, for tests: the reverse of decoding, written apart from it. */
import type { ParameterLocation, ParameterStyle } from '../../../../src/runtime/contract/contract.js';

export interface Notation {
  readonly in: ParameterLocation;
  readonly style: ParameterStyle;
  readonly explode: boolean;
}

/** Percent-encodes what could be a delimiter of any style; `.` is one in labels, though RFC 3986 does not reserve it. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll('.', '%2E');
}

/** The text of a parameter. Headers are written as they are. */
export function serialize({ in: location, style, explode }: Notation, name: string, value: unknown): string {
  const write = (part: unknown) => (location === 'header' ? String(part) : encode(String(part)));
  const pairs = (assign: string) =>
    Object.entries(value as object).map(([key, member]) => `${write(key)}${assign}${write(member)}`);
  const isArray = Array.isArray(value);
  const isObject = typeof value === 'object' && value !== null && !isArray;

  if (style === 'deepObject') {
    return Object.entries(value as object)
      .map(([key, member]) => `${name}[${encode(key)}]=${encode(String(member))}`)
      .join('&');
  }
  const delimiter = { spaceDelimited: '%20', pipeDelimited: '|' }[style as string] ?? ',';
  const list = isArray
    ? value.map(write).join(delimiter)
    : isObject
      ? pairs(delimiter).join(delimiter)
      : write(value);
  switch (style) {
    case 'simple':
      return isObject && explode ? pairs('=').join(',') : list;
    case 'label':
      if (!explode) return `.${list}`;
      return `.${isArray ? value.map(write).join('.') : isObject ? pairs('=').join('.') : list}`;
    case 'matrix':
      if (explode && isArray) return value.map((item) => `;${name}=${write(item)}`).join('');
      return explode && isObject ? `;${pairs('=').join(';')}` : `;${name}=${list}`;
    default:
      if (explode && isArray) return value.map((item) => `${name}=${write(item)}`).join('&');
      return explode && isObject ? pairs('=').join('&') : `${name}=${list}`;
  }
}
