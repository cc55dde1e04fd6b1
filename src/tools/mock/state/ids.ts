/** The ids of records, which their schemas and the parameters of their paths allow. */

import { fitsRange, typicalNumber } from '../../values/numbers.js';
import { type PlainPart, typesOf } from '../../values/parts.js';
import { fitsText, typicalText } from '../../values/texts.js';

/** The nth id that a schema allows, and that of the parameter that carries it in a path. */
export function idOf(
  parts: readonly PlainPart[],
  nth: number,
  address: readonly PlainPart[] = [],
): string | number {
  const both = [...parts, ...address];
  if (typesOf(parts)?.includes('string') === false)
    return fitsId(both, nth) ? nth : (typicalNumber(both, true, nth) ?? nth);
  const isUuid = both.some(({ schema }) => schema['format'] === 'uuid');
  const text = isUuid ? `5a4db0c5-0000-4000-8000-${nth.toString(16).padStart(12, '0')}` : String(nth);
  const isNumber = typesOf(address)?.includes('string') === false;
  const number = isNumber ? typicalNumber(address, true, nth) : undefined;
  const candidates = [text, ...(number === undefined ? [] : [String(number)])];
  const fits = (each: string | undefined): boolean =>
    each !== undefined && fitsText(parts, each) && fitsId(address, each);
  const made = [both, address, parts].map((each) => () => typicalText(each, nth));
  return candidates.find(fits) ?? made.map((make) => make()).find(fits) ?? typicalText(parts, nth) ?? text;
}

/** Whether a path parameter takes an id: a text of digits is a number there. */
export function fitsId(parts: readonly PlainPart[], id: string | number): boolean {
  const types = typesOf(parts) ?? ['string', 'integer'];
  if (types.includes('string') && fitsText(parts, String(id))) return true;
  const number = String(id).trim() === '' ? NaN : Number(id);
  const isNumber = types.includes('number') || (types.includes('integer') && Number.isInteger(number));
  return isNumber && !Number.isNaN(number) && fitsRange(parts, number);
}
