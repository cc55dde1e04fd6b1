/** The body of a `node:http` request: as it arrives, whole up to a limit, or as a body parser has left it. */

import type { IncomingMessage } from 'node:http';
import { inOnePiece } from '../../http/memory-request.js';
import { brokenOff, tooLarge } from '../../http/problem.js';
import { writeParsedBody } from './parsed-body.js';

/**
 * Reads the whole body.
 *
 * @param limit - the maximum in bytes
 * @param parsed - the result of a body parser in front; it is used where nothing is left to read
 * @throws a 413 `Problem` past the limit, a 400 where the client breaks off, and an error when the body has been read and no parser left its result
 */
export function readNodeBody(request: IncomingMessage, limit: number, parsed?: unknown): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length']) > limit) throw tooLarge(limit);
    if (request.readableEnded) {
      const bytes = writeParsedBody(parsed, request.headers['content-type']);
      if (bytes.length > limit) throw tooLarge(limit);
      resolve(bytes);
      return;
    }
    const chunks: Buffer[] = [];
    let length = 0;
    const breakOff = (): void => {
      reject(brokenOff());
    };
    // A destroyed request emits no more events.
    if (request.destroyed) breakOff();
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      // A body that is too long is not kept; Node discards the rest once the response is sent.
      if (length > limit) reject(tooLarge(limit));
      else chunks.push(chunk);
    });
    request.once('end', () => {
      // `close` is also emitted after a complete body.
      request.off('close', breakOff);
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
    });
    // An error means that the connection broke.
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
    // By default the iterator of a request destroys the connection when reading stops.
    yield* request.iterator({ destroyOnReturn: false });
  } catch {
    throw brokenOff();
  }
  if (!request.complete) throw brokenOff();
}
