/**
 * What a request costs one process of the service among several on one PostgreSQL. The others serve a light load that includes
 * new posts, which each process announces to all others. Only one process is measured, by its CPU time: a machine
 * has too few cores for all.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresServer } from '../../support/postgres-server.js';
import { type Reached, takeTurns } from '../compare.js';
import { findMeter } from '../load.js';
import { ServerProcess } from '../server-process.js';
import { createAuthor, createPosts } from '../posts.js';
import type { GrowthTask } from './growth-row.js';

const SIZES = [1, 2, 4, 8];
/** How often each of the other processes gets a post. */
const POST_EVERY_MS = 200;

export const processesTask: GrowthTask = {
  name: 'processes',
  async run({ rounds, seconds }) {
    const database = await PostgresServer.start();
    try {
      const reached: Reached[] = [];
      for (const size of SIZES) {
        reached.push(await measure(await database.createDatabase(), size, rounds, seconds));
      }
      const costs = reached.map(({ rate, cpu, mebibytes }, index) => {
        const size = SIZES[index] === 1 ? '1 process' : `${String(SIZES[index])} processes`;
        return { size, microseconds: 1e6 / rate, cpu, mebibytes };
      });
      return [
        { work: 'GET /api/users/{id} on PostgreSQL, of one process', costs, limit: 1.25, compares: 'cpu' },
      ];
    } finally {
      await database.stop();
    }
  },
};

async function measure(url: string, size: number, count: number, seconds: number): Promise<Reached> {
  const processes: ServerProcess[] = [];
  const abort = new AbortController();
  let posting: Promise<unknown> = Promise.resolve();
  try {
    while (processes.length < size) {
      processes.push(await ServerProcess.startService({ DATABASE_URL: url, LOG_LEVEL: 'info' }));
    }
    const [first, ...others] = processes;
    if (first === undefined) throw new Error('there is no process');
    const authorId = await createAuthor(first.url);
    posting = Promise.all(others.map((each) => postUntil(abort.signal, each.url, authorId)));
    const load = { url: first.url, paths: ['/api/users/1'] as const };
    // Eight processes on two cores take some seconds until all have started and their code is optimised.
    const rounds = { count, seconds, warmUpSeconds: 4 * seconds };
    const [reached] = await takeTurns(findMeter().measure, [{ load, pid: first.pid }], rounds);
    if (reached === undefined) throw new Error('nothing was measured');
    return reached;
  } finally {
    abort.abort();
    await posting;
    for (const each of processes) await each.stop();
  }
}

async function postUntil(signal: AbortSignal, url: string, authorId: string): Promise<void> {
  while (!signal.aborted) {
    await createPosts(url, authorId, { count: 1, contentBytes: 1000 });
    await sleep(POST_EVERY_MS);
  }
}
