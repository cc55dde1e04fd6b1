/** How many posts a second four processes store on one PostgreSQL that syncs each commit: `--processes 4 --clients 8 --posts 4000`. */

import { rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { ServiceProcess } from '../../crash/service-process.js';
import { compileService } from '../../support/compiled-service.js';
import { PostgresServer } from '../../support/postgres-server.js';
import { createAuthor, createPosts } from '../posts.js';

const ROUNDS = 3;

export async function posts(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      processes: { type: 'string', default: '4' },
      clients: { type: 'string', default: '8' },
      posts: { type: 'string', default: '4000' },
    },
  });
  const [size, clients, total] = [values.processes, values.clients, values.posts].map(Number) as [
    number,
    number,
    number,
  ];
  const directory = await compileService();
  const database = await PostgresServer.start({ fsync: 'on' });
  const processes: ServiceProcess[] = [];
  try {
    const url = await database.createDatabase();
    while (processes.length < size) processes.push(await ServiceProcess.start(directory, url));
    const [first] = processes;
    if (first === undefined) throw new Error('there is no process');
    const authorId = await createAuthor(first.url);
    for (let round = 0; round < ROUNDS; round++) {
      const started = performance.now();
      const count = Math.floor(total / size);
      await Promise.all(
        processes.map((each) => createPosts(each.url, authorId, { count, contentBytes: 1000, clients })),
      );
      const seconds = (performance.now() - started) / 1000;
      console.log(
        `${String(size)} processes of ${String(clients)} clients: ${(total / seconds).toFixed(0)} posts a second`,
      );
    }
  } finally {
    for (const each of processes) await each.kill();
    await database.stop();
    await rm(directory, { recursive: true });
  }
}
