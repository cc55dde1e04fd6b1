/** More connections than the process may have files, none of which is used or ever closed by its client. */

import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { exchange, openSocket, readAnswer, requestText } from '../../support/wire.js';
import { ServerProcess } from '../server-process.js';
import { observe } from './observe.js';

const OPEN_FILES = 256;
const CONNECTIONS = 400;
/** Until after the 408 of slow requests. */
const SECONDS = 40;

const NEW_REQUEST = requestText('/healthz', { headers: ['Connection: close'] });

export async function sockets(): Promise<void> {
  const server = await ServerProcess.startService({}, OPEN_FILES);
  const opened: Socket[] = [];
  const results = { answered: 0, refused: 0, slowest: 0 };
  try {
    await observe(server, async () => {
      for (let index = 0; index < CONNECTIONS; index += 1) {
        const socket = await openSocket(server.url, true).catch(() => undefined);
        if (socket === undefined) continue;
        socket.resume();
        if (index % 2 === 1) socket.write('GET / HTTP/1.1\r\nHo');
        opened.push(socket);
      }
      const end = performance.now() + SECONDS * 1000;
      while (performance.now() < end) {
        const start = performance.now();
        const received = await exchange(server.url, NEW_REQUEST).catch(() => '');
        results.slowest = Math.max(results.slowest, performance.now() - start);
        if (readAnswer(received).status === 200) results.answered += 1;
        else results.refused += 1;
        await sleep(200);
      }
    });
  } finally {
    for (const socket of opened) socket.destroy();
    await server.stop();
  }
  const { answered, refused, slowest } = results;
  console.log(
    `new connections: ${String(answered)} answered, ${String(refused)} refused, the slowest after ${slowest.toFixed(0)} ms`,
  );
  if (refused > 0) process.exitCode = 1;
}
