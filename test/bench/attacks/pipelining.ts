/** Many requests on one connection, without waiting for answers: by a client that never reads, and by one that does. */

import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSocket, requestText } from '../../support/wire.js';
import { ServerProcess } from '../server-process.js';
import { createAuthor, createPosts } from '../posts.js';
import { observe } from './observe.js';

const POSTS = 100;
const CONTENT_BYTES = 100_000;
const LIST = `/api/posts?limit=${String(POSTS)}`;
const WAIT_MS = 30_000;

export async function pipelining(): Promise<void> {
  for (const [what, count, target, isRead] of [
    ['lists of 10 MB, none read', 300, LIST, false],
    ['lists of 10 MB, all read', 30, LIST, true],
    ['short answers, none read', 100_000, '/api/users', false],
  ] as const) {
    const server = await ServerProcess.startService();
    try {
      await createPosts(server.url, await createAuthor(server.url), {
        count: POSTS,
        contentBytes: CONTENT_BYTES,
      });
      console.log(`\n${String(count)} ${what}`);
      await observe(server, () => attack(server.url, target, count, isRead));
      console.log(`${String(await answersOf(server.url))} answers were made`);
    } finally {
      await server.stop();
    }
  }
}

async function attack(url: string, target: string, count: number, isRead: boolean): Promise<void> {
  const socket = await openSocket(url);
  const requests =
    requestText(target).repeat(count - 1) + requestText(target, { headers: ['Connection: close'] });
  socket.write(requests);
  if (isRead) {
    socket.resume();
    await once(socket, 'close');
  } else {
    await sleep(WAIT_MS);
    socket.destroy();
  }
}

/** How many requests other than those of the probes and of the preparation were answered. */
async function answersOf(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const counts = metrics.matchAll(
    /^http_request_duration_seconds_count\{operation="list\w+",[^}]*\} (\d+)/gm,
  );
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}
