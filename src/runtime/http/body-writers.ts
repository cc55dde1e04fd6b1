/** Writes the bodies of the built-in media types, and checks at run time that a value has the type that its handler declares. */

import { isStreamed } from './message.js';

/** @throws TypeError for values without a JSON text: undefined, functions, big integers, cycles */
export function writeJson(value: unknown): string {
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) throw new TypeError(`a JSON body cannot be ${typeof value}`);
  return text;
}

/** JSON in which a bigint is a number with all its digits. @throws TypeError for values without a JSON text */
export function writeExactJson(value: unknown): string {
  try {
    return writeJson(value);
  } catch (error) {
    // Slower, for values with a bigint only: JSON.stringify refuses bigints and cannot write them as numbers.
    if (!(error instanceof TypeError)) throw error;
    return exactText(value) ?? 'null';
  }
}

/** @returns undefined for values that JSON leaves out of objects @throws RangeError for a cycle */
function exactText(value: unknown): string | undefined {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if ('toJSON' in value && typeof value.toJSON === 'function')
    return exactText((value as { toJSON(): unknown }).toJSON());
  if (Array.isArray(value)) return `[${value.map((item) => exactText(item) ?? 'null').join(',')}]`;
  const members = Object.entries(value).flatMap(([name, member]) => {
    const text = exactText(member);
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
  return `{${members.join(',')}}`;
}

/** Writes text unchanged, and other scalars as in JSON. @throws TypeError for anything else */
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
  // A piece that is not bytes breaks off the response when it is sent.
  if (isStreamed(value)) return value;
  throw new TypeError(`a body of bytes cannot be ${typeof value}`);
}

/** The pieces of a stream. The stream's own iterator would cancel the stream only after the pending piece. */
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
