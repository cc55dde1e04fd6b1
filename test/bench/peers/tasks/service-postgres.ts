/** The whole service on PostgreSQL, beside Fastify with the same around its contract and the same statements. */

import { PostgresServer } from '../../../support/postgres-server.js';
import { type RateTask, type Task, peer, rateTask } from '../rate-task.js';
import { listLoad, listProbes, readLoad, readProbes, writeLoad, writeProbes } from './rest.js';
import { SECRET, profileLoad, profileProbes, settings, startService } from './service.js';

const SERVICE = 'service on PostgreSQL';
const FASTIFY = 'Fastify + pg, and the same';

const work: readonly Pick<RateTask, 'work' | 'load' | 'probes'>[] = [
  { work: 'service read', load: readLoad, probes: readProbes },
  { work: 'service write', load: writeLoad, probes: writeProbes },
  { work: 'service list of 100', load: listLoad, probes: listProbes },
  { work: 'service profile with a token', load: profileLoad, probes: profileProbes },
];

export const servicePostgresTasks: readonly Task[] = work.map(onPostgres);

/** Each server has a database of its own, because writes must not find the other's users. */
function onPostgres(given: (typeof work)[number]): Task {
  let server: PostgresServer | undefined;
  const filled = async (): Promise<string> => {
    server ??= await PostgresServer.start();
    return await server.createDatabase();
  };
  const task = rateTask({
    ...given,
    servers: {
      [SERVICE]: { start: async () => startService({ ...settings, DATABASE_URL: await filled() }) },
      [FASTIFY]: {
        async start() {
          const url = await filled();
          // Makes the tables and the users.
          await (await startService({ ...settings, DATABASE_URL: url })).stop();
          return await peer('service/fastify.js', SECRET, 'cached', url).start();
        },
      },
    },
    plans: [{ ours: SERVICE, peer: FASTIFY, target: { required: 0.9, aim: 0.75, ofCpu: true } }],
  });
  return {
    plans: task.plans,
    async run(plans, rounds) {
      try {
        return await task.run(plans, rounds);
      } finally {
        await server?.stop();
        server = undefined;
      }
    },
  };
}
