/** The memory of idle servers, of the connections that clients keep alive, and of subscribers over WebSocket. */

import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../../compare.js';
import { startFanOut } from '../../fan-out.js';
import { residentMebibytes } from '../../process-usage.js';
import type { ServerProcess } from '../../server-process.js';
import { type Task, peer } from '../rate-task.js';
import { type Plan, type Target, kibibytes, rowOf } from '../row.js';
import { SECRET, settings, startService } from './service.js';

const CONNECTIONS = 5000;
const SUBSCRIBERS = 5000;
/** What is left of a start, or of many requests, has been freed or kept by then. */
const SETTLED_MS = 2000;
const REQUEST = 'GET /api/users/1 HTTP/1.1\r\nHost: localhost\r\n\r\n';

interface Side {
  readonly name: string;
  readonly start: () => Promise<ServerProcess>;
}

const service: Side = { name: 'service', start: () => startService(settings) };
const fastify: Side = {
  name: 'Fastify + helmet, pino, prom-client, ids',
  start: peer('service/fastify.js', SECRET).start,
};
const engine: Side = { name: 'engine on node', start: peer('fan-out/concordat.js').start };
const graphqlWs: Side = { name: 'graphql-ws with graphql-js', start: peer('fan-out/graphql-ws.js').start };

export const memoryTasks: readonly Task[] = [
  memoryTask('memory, idle', [service, fastify], { required: 1.3 }, async (server) => {
    (await openConnections(server, 1)).forEach((socket) => socket.destroy());
    return await settledKibibytes(server);
  }),
  memoryTask('memory per idle connection', [service, fastify], { required: 1 }, async (server) => {
    // The heap grows with the first requests, whatever their connections.
    (await openConnections(server, CONNECTIONS)).forEach((socket) => socket.destroy());
    const before = await settledKibibytes(server);
    const sockets = await openConnections(server, CONNECTIONS);
    const after = await settledKibibytes(server);
    for (const socket of sockets) socket.destroy();
    return (after - before) / CONNECTIONS;
  }),
  memoryTask('memory per subscriber', [engine, graphqlWs], { required: 0.7 }, async (server) => {
    const before = await settledKibibytes(server);
    const fanOut = await startFanOut(server, SUBSCRIBERS, 1);
    try {
      return ((await settledKibibytes(server)) - before) / SUBSCRIBERS;
    } finally {
      await fanOut.leave();
    }
  }),
];

/** @param measure - of a server that has just started; each round has new ones, because a process keeps memory that was once in use */
function memoryTask(
  work: string,
  sides: readonly [Side, Side],
  target: Target,
  measure: (server: ServerProcess) => Promise<number>,
): Task {
  const plan: Plan = { work, ours: sides[0].name, peer: sides[1].name, target };
  return {
    plans: [plan],
    async run(_, { count }) {
      const figures = sides.map(() => [] as number[]);
      for (let round = 0; round < count; round += 1) {
        for (const [index, { start }] of sides.entries()) {
          const server = await start();
          try {
            figures[index]?.push(await measure(server));
          } finally {
            await server.stop();
          }
        }
      }
      const [ours = Number.NaN, theirs = Number.NaN] = figures.map(median);
      return [rowOf(plan, kibibytes, { median: ours }, { median: theirs })];
    },
  };
}

async function settledKibibytes({ pid }: ServerProcess): Promise<number> {
  await sleep(SETTLED_MS);
  return residentMebibytes(pid) * 1024;
}

/** Opens connections, each of which has had the answer to one request, and stays open. */
async function openConnections({ url }: ServerProcess, count: number): Promise<readonly Socket[]> {
  const { hostname, port } = new URL(url);
  const sockets: Socket[] = [];
  for (let index = 0; index < count; index += 1) {
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    socket.write(REQUEST);
    await once(socket, 'data');
  }
  return sockets;
}
