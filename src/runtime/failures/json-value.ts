/** Equality, divisibility, texts and pointers of JSON values, by the rules of the generated checks. */

import type { Json } from '../contract/contract.js';

/** A text that is the same for equal JSON values, and only for them (JSON Schema, Core §4.2.2). */
export function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null)
    return typeof value === 'string' ? JSON.stringify(value) : String(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  const members = Object.entries(value)
    .map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`)
    .sort();
  return `{${members.join()}}`;
}

/** Divisibility of decimal numbers: binary fractions make 19.99 / 0.01 a little less than 1999. */
export function isMultiple(value: number, step: number): boolean {
  const [digits, places] = decimal(value);
  const [stepDigits, stepPlaces] = decimal(step);
  const shared = Math.max(places, stepPlaces);
  return (digits * 10n ** BigInt(shared - places)) % (stepDigits * 10n ** BigInt(shared - stepPlaces)) === 0n;
}

/** The decimal digits of a number, and how many of them follow the point. */
function decimal(number: number): readonly [bigint, number] {
  const [mantissa = '', exponent = '0'] = String(number).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return [BigInt(whole + fraction), fraction.length - Number(exponent)];
}

/** The value of a JSON text; undefined for any other text. */
export function parsedJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** True for a JSON object: not null and not an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** One step of a pointer, with its `/`. */
export function memberPointer(member: string | number): string {
  return `/${String(member).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Undoes the escapes of one step (RFC 6901 §4), or of a whole pointer that people will read. */
export function unescaped(pointer: string): string {
  return pointer.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** A copy for a check, because checks insert defaults. Files, and other objects of classes, are not copied. */
export function copied<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(copied) as Value;
  if (!isObject(value) || !IS_PLAIN.has(Object.getPrototypeOf(value))) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, copied(each)])) as Value;
}

const IS_PLAIN: ReadonlySet<unknown> = new Set([Object.prototype, null]);
