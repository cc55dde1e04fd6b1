/** Writes the parameters of a request: the reverse of decoding them (OpenAPI "Style Values" and "Style Examples"). */

import type { Coercion, ParameterLocation, ParameterStyle } from '../contract/contract.js';

/** How one parameter, or one field of a form, is written. */
export interface Written {
  readonly name: string;
  /** The names of cookies are not encoded. */
  readonly in?: ParameterLocation;
  /** Absent for a parameter that has `content`: its text is JSON. */
  readonly style?: ParameterStyle;
  readonly explode?: boolean;
  readonly value: Coercion;
}

const DELIMITERS: Partial<Record<ParameterStyle, string>> = { spaceDelimited: '%20', pipeDelimited: '%7C' };

/**
 * The `name=value` pairs of a value in a query, a cookie or a form; none for null and for an empty list.
 *
 * @throws TypeError for values inside lists or objects that the style cannot carry
 */
export function namedTexts(
  { name, in: location, style, explode = false, value }: Written,
  given: unknown,
): readonly string[] {
  const pair = (key: string, text: string): string =>
    `${location === 'cookie' ? key : encodeURIComponent(key)}=${text}`;
  if (given === undefined || given === null) return [];
  if (style === undefined || ('type' in value && value.type === 'json'))
    return [pair(name, encodeURIComponent(JSON.stringify(given)))];
  const delimiter = DELIMITERS[style] ?? ',';
  if (Array.isArray(given)) {
    const texts = given.map(scalarText);
    if (explode) return texts.map((text) => pair(name, text));
    return texts.length === 0 ? [] : [pair(name, texts.join(delimiter))];
  }
  if (typeof given !== 'object') return [pair(name, scalarText(given))];
  const members = Object.entries(given).filter(([, each]) => each !== undefined && each !== null);
  if (style === 'deepObject') {
    return members.flatMap(([key, each]) =>
      [each].flat().map((item) => `${encodeURIComponent(`${name}[${key}]`)}=${scalarText(item)}`),
    );
  }
  if (explode)
    return members.flatMap(([key, each]) => [each].flat().map((item) => pair(key, scalarText(item))));
  const parts = members.flatMap(([key, each]) => [encodeURIComponent(key), scalarText(each)]);
  return parts.length === 0 ? [] : [pair(name, parts.join(delimiter))];
}

function scalarText(value: unknown): string {
  if (typeof value === 'object' && value !== null)
    throw new TypeError('a parameter cannot carry a list or an object inside another');
  if (value === null || value === undefined) return '';
  return encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value));
}
