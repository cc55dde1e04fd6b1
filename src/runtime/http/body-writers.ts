/** Writes the bodies of the built-in media types. Each checks at run time what the types of handlers promise. */

import { isStreamed } from './message.js';

/** @throws TypeError for values without a JSON text: undefined, functions, big integers, cycles */
export function writeJson(value: unknown): string {
  const small = smallJson(value);
  if (small !== undefined) return small;
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) throw new TypeError(`a JSON body cannot be ${typeof value}`);
  return text;
}

/** JSON in which a bigint is a number with all its digits. @throws TypeError for values without a JSON text */
export function writeExactJson(value: unknown): string {
  try {
    return writeJson(value);
  } catch (error) {
    // A number holds most integers. JSON.stringify refuses a bigint, and has no way to write one as a number.
    if (!(error instanceof TypeError)) throw error;
    return exactText(value) ?? 'null';
  }
}

/** @returns undefined for values that JSON leaves out of objects. A cycle ends with a RangeError. */
function exactText(value: unknown): string | undefined {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (hasJson(value)) return exactText(value.toJSON());
  if (Array.isArray(value)) return `[${value.map((item) => exactText(item) ?? 'null').join(',')}]`;
  const members = Object.entries(value).flatMap(([name, member]) => {
    const text = exactText(member);
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
  return `{${members.join(',')}}`;
}

function hasJson(value: object): value is { toJSON(): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}

/** Text unchanged, and other scalars as JSON writes them. @throws TypeError for anything else */
export function writeText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return String(value);
  throw new TypeError(`a text body cannot be ${typeof value}`);
}

/** Bytes in one piece, or as a stream of pieces. @throws TypeError for anything else */
export function writeBytes(value: unknown): Uint8Array | AsyncIterable<Uint8Array> {
  if (value instanceof Uint8Array) return value;
  if (value instanceof ReadableStream) return piecesOf(value as ReadableStream<Uint8Array>);
  // A piece that is not bytes breaks the response off when it is sent.
  if (isStreamed(value)) return value;
  throw new TypeError(`a body of bytes cannot be ${typeof value}`);
}

/** The stream's own iterator would cancel it only after the piece that is waited for. */
function piecesOf(stream: ReadableStream<Uint8Array>): AsyncIterableIterator<Uint8Array> {
  const reader = stream.getReader();
  return {
    next: async () => {
      const { done, value } = await reader.read();
      return done ? { done, value: undefined } : { done, value };
    },
    return: async () => {
      await reader.cancel();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** Beyond these many values JSON.stringify is faster. */
const MOST_VALUES = 48;

/** What JSON.stringify writes otherwise than as it is. Surrogates may be in pairs, which it leaves; those are rare. */
// eslint-disable-next-line no-control-regex -- JSON escapes control characters
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

/** Texts of up to so many characters are looked through faster one by one than by a regular expression. */
const SHORT = 42;

let valuesLeft = 0;

/**
 * The text that JSON.stringify gives for a value of strings, numbers, booleans, null, arrays and plain objects: it takes
 * longer to begin than a small value takes to write (Node 20 to 24).
 *
 * @returns undefined for any other value, for a large one and for one without a JSON text
 */
export function smallJson(value: unknown): string | undefined {
  valuesLeft = MOST_VALUES;
  return textOf(value);
}

function textOf(value: unknown): string | undefined {
  if (--valuesLeft < 0) return undefined;
  switch (typeof value) {
    case 'string':
      return isEscaped(value) ? JSON.stringify(value) : `"${value}"`;
    case 'number':
      return Number.isFinite(value) ? String(value) : 'null';
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? arrayText(value) : objectText(value);
    default:
      return undefined;
  }
}

function isEscaped(text: string): boolean {
  if (text.length > SHORT) return ESCAPED.test(text);
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    const isPlain = code >= 0x20 && code !== 0x22 && code !== 0x5c && (code < 0xd800 || code > 0xdfff);
    if (!isPlain) return true;
  }
  return false;
}

function arrayText(items: readonly unknown[]): string | undefined {
  if (items.length > valuesLeft || 'toJSON' in items) return undefined;
  let text = '';
  for (const item of items) {
    const part = textOf(item);
    if (part === undefined) return undefined;
    text += text === '' ? part : `,${part}`;
  }
  return `[${text}]`;
}

function objectText(members: object): string | undefined {
  const prototype: unknown = Object.getPrototypeOf(members);
  if ((prototype !== Object.prototype && prototype !== null) || 'toJSON' in members) return undefined;
  let text = '';
  for (const name of Object.keys(members)) {
    const member = (members as Readonly<Record<string, unknown>>)[name];
    if (member === undefined) continue;
    const part = textOf(member);
    if (part === undefined) return undefined;
    text += text === '' ? `${nameText(name)}${part}` : `,${nameText(name)}${part}`;
  }
  return `{${text}}`;
}

/** The names of a contract are few; those that clients choose must not fill the memory. */
const names = new Map<string, string>();
const MOST_NAMES = 1000;

function nameText(name: string): string {
  let text = names.get(name);
  if (text === undefined) {
    text = `${JSON.stringify(name)}:`;
    if (names.size < MOST_NAMES) names.set(name, text);
  }
  return text;
}
