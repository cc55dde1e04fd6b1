/** Serves a body of a quarter of a gibibyte through one transport in a separate process, and prints how much memory that took. */

import { setInterval } from 'node:timers';
import type { HttpHandler } from '../../../src/runtime/index.js';
import { listeners, listenTo } from './listeners.js';

const PIECE = Buffer.alloc(64 * 1024);
const PIECES = (256 * 1024 ** 2) / PIECE.length;

// eslint-disable-next-line @typescript-eslint/require-await -- as fast as the client reads
async function* largeBody(): AsyncGenerator<Uint8Array, void, void> {
  for (let piece = 0; piece < PIECES; piece += 1) {
    // What is kept is measured, and not what has yet to be collected.
    if (piece % 128 === 0) globalThis.gc?.();
    // As a file would be read: each piece anew.
    yield Buffer.from(PIECE);
  }
}

let peak = 0;
setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 5).unref();

const handler: HttpHandler = ({ path }) => {
  if (path === '/large') return { status: 200, headers: {}, body: largeBody() };
  const body = String(peak);
  peak = process.memoryUsage.rss();
  return { status: 200, headers: {}, body };
};

const listen = listeners[process.argv[2] ?? ''];
if (listen === undefined) throw new Error('there is no such transport');
console.log((await listenTo(listen(handler))).url);
