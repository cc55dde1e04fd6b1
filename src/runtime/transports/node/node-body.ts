/** The body of a request of `node:http`: as it arrives, whole up to a limit, or as somebody else has already parsed it. */

import type { IncomingMessage } from 'node:http';
import { inOnePiece } from '../../http/memory-request.js';
import { brokenOff, tooLarge } from '../../http/problem.js';
import { writeParsedBody } from './parsed-body.js';

/**
 * Reads the whole body.
 *
 * @param limit - the most bytes to read
 * @param parsed - what a body parser in front made of the body; it counts where nothing is left to read
 * @throws a 413 `Problem` past the limit, a 400 where the client breaks off, and an error when the body was read before and nobody says what it was
 */
export async function readNodeBody(
  request: IncomingMessage,
  limit: number,
  parsed?: unknown,
): Promise<Uint8Array> {
  if (Number(request.headers['content-length']) > limit) throw tooLarge(limit);
  if (request.readableEnded) {
    const bytes = writeParsedBody(parsed, request.headers['content-type']);
    if (bytes.length > limit) throw tooLarge(limit);
    return bytes;
  }
  return await new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const breakOff = (): void => {
      reject(brokenOff());
    };
    // A client that is gone sends no more events.
    if (request.destroyed) breakOff();
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      // What is too long is not kept; Node throws the rest away once the response is sent.
      if (length > limit) reject(tooLarge(limit));
      else chunks.push(chunk);
    });
    request.once('end', () => {
      // It closes also where all went well.
      request.off('close', breakOff);
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
    });
    // An error is the connection's, not ours.
    request.once('error', breakOff);
    request.once('close', breakOff);
  });
}

/** The body as it arrives. @throws as {@link readNodeBody}, when it is read */
export async function* streamNodeBody(
  request: IncomingMessage,
  parsed?: unknown,
): AsyncGenerator<Uint8Array, void, void> {
  if (request.readableEnded) {
    yield* inOnePiece(writeParsedBody(parsed, request.headers['content-type']));
    return;
  }
  try {
    // Left to itself, the iterator of a request destroys the connection when reading stops.
    yield* request.iterator({ destroyOnReturn: false });
  } catch {
    throw brokenOff();
  }
  if (!request.complete) throw brokenOff();
}
