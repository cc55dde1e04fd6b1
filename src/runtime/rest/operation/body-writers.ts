/** Writes the bodies of the built-in media types. Each checks at run time what the types of handlers promise. */

import { isStreamed } from '../../http/message.js';

/** @throws TypeError for values without a JSON text: undefined, functions, big integers, cycles */
export function writeJson(value: unknown): string {
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) throw new TypeError(`a JSON body cannot be ${typeof value}`);
  return text;
}

/** Text unchanged, and other scalars as JSON writes them. @throws TypeError for anything else */
export function writeText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new TypeError(`a text body cannot be ${typeof value}`);
}

/** Bytes in one piece, or as a stream of pieces. @throws TypeError for anything else */
export function writeBytes(value: unknown): Uint8Array | AsyncIterable<Uint8Array> {
  if (value instanceof Uint8Array) return value;
  // A piece that is not bytes breaks the response off when it is sent.
  if (isStreamed(value)) return value;
  throw new TypeError(`a body of bytes cannot be ${typeof value}`);
}
