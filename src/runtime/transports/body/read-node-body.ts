/** Reads the body of a request of `node:http`, up to a limit. */

import type { IncomingMessage } from 'node:http';
import { Problem } from '../../index.js';
import { tooLarge } from './too-large.js';

/**
 * @param limit - the most bytes to read
 * @returns a promise that rejects with a 413 `Problem` past the limit, and with a 400 where the client breaks off
 * @throws an error when the body was read before: that is a mistake of whoever put the service together
 */
export function readNodeBody(request: IncomingMessage, limit: number): Promise<Uint8Array> {
  if (request.readableEnded) {
    throw new Error(
      'the request body was read before the router saw it: mount body parsers behind it, or elsewhere',
    );
  }
  if (Number(request.headers['content-length']) > limit) throw tooLarge(limit);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const breakOff = (): void => {
      reject(new Problem(400, 'The request ended before its body did'));
    };
    // Of a client that is gone already nothing more will be heard.
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
