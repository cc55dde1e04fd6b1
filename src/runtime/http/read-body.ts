/** Reads bodies that arrive in pieces, up to a limit. */

import type { RequestHeaders } from './message.js';
import { Problem, tooLarge } from './problem.js';

/** A body as it arrives, up to a limit. @param limit - the maximum in bytes; past it, the iterator throws a 413 `Problem` */
export async function* bounded(
  body: AsyncIterable<Uint8Array>,
  limit: number,
): AsyncGenerator<Uint8Array, void, void> {
  let length = 0;
  for await (const piece of body) {
    length += piece.length;
    if (length > limit) throw tooLarge(limit);
    yield piece;
  }
}

/** @throws a 415 `Problem` for a compressed body: its `Accept-Encoding` lists the supported codings (RFC 9110 §8.4 and §15.5.16) */
export function requireIdentity({ 'content-encoding': coding }: RequestHeaders): void {
  if (coding === undefined || String(coding).toLowerCase() === 'identity') return;
  throw new Problem(415, 'The body must not be compressed', { 'Accept-Encoding': 'identity' });
}

/** The whole body. @param limit - in bytes @throws a 413 `Problem` past the limit; the rest of the body is not read */
export async function whole(body: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array> {
  const bytes = await wholeWithin(body, limit);
  if (bytes === undefined) throw tooLarge(limit);
  return bytes;
}

/** The whole body. @param limit - in bytes @returns undefined past the limit; the rest of the body is not read */
export async function wholeWithin(
  body: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body) {
    length += piece.length;
    if (length > limit) return undefined;
    pieces.push(piece);
  }
  return joined(pieces);
}

/** The pieces joined into one; a single piece is not copied. */
export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  if (pieces.length === 1 && pieces[0] !== undefined) return pieces[0];
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const piece of pieces) {
    bytes.set(piece, offset);
    offset += piece.length;
  }
  return bytes;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @returns undefined for bytes that are not UTF-8 */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** @param subject - the name of the bytes in the message @throws a 400 `Problem` when the bytes are not UTF-8 */
export function textOf(bytes: Uint8Array, subject: string): string {
  const text = decodeUtf8(bytes);
  if (text === undefined) throw new Problem(400, `${subject} must be UTF-8 text`);
  return text;
}
