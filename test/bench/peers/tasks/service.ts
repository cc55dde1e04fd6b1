/** The whole service with its log at `info`, beside Fastify with the same around its contract, and beside bare Koa. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HS256, forge } from '../../../support/forged-tokens.js';
import { ServerProcess } from '../../server-process.js';
import { type RateTask, type Server, type Task, peer, rateTask } from '../rate-task.js';
import type { Probe } from '../same-answers.js';
import { readLoad, readProbes, writeLoad, writeProbes } from './rest.js';

const SERVICE = 'service';
const FASTIFY = 'Fastify + helmet, pino, prom-client, ids';
const EXPRESS = 'Express + express-openapi-validator, and the same';
const OPENAPI_BACKEND = 'Koa + openapi-backend, and the same';
const HONO = 'Hono + zod-openapi, and the same';
const CACHED = 'Fastify + the same, verified tokens cached';

/** As many users as the peers start with. */
const USERS = 200;
export const SECRET = 'a secret that only the benchmarks use';

/** As a deployment has it. */
export const settings = {
  LOG_LEVEL: 'info',
  ACCESS_TOKEN_SECRET: SECRET,
  REFRESH_TOKEN_SECRET: `${SECRET} for another use`,
};

const servers: Readonly<Record<string, Server>> = {
  [SERVICE]: { start: (root) => startService(settings, root) },
  [FASTIFY]: peer('service/fastify.js', SECRET),
  [CACHED]: peer('service/fastify.js', SECRET, 'cached'),
  [EXPRESS]: peer('rest/express-openapi-validator.js', 'service'),
  [OPENAPI_BACKEND]: peer('rest/koa-openapi-backend.js', 'service'),
  [HONO]: peer('rest/hono-zod-openapi.js', 'service'),
  'bare Koa': { ...peer('rest/bare-koa.js'), checks: false },
};

/** With the same around their contracts. */
const others: RateTask['plans'] = [
  { ours: SERVICE, peer: EXPRESS, target: { required: 5 } },
  { ours: SERVICE, peer: OPENAPI_BACKEND, target: { required: 5 } },
  { ours: SERVICE, peer: HONO, target: { required: 1.5 } },
];

/** Starts the service, and creates the users that the peers start with. */
export async function startService(
  of: Readonly<Record<string, string>>,
  root?: string,
): Promise<ServerProcess> {
  const server = await ServerProcess.startService(of, undefined, root);
  for (let number = 1; number <= USERS; number += 1) {
    const user = {
      name: `User ${String(number)}`,
      email: `user-${String(number)}@example.com`,
      city: 'London',
    };
    const response = await fetch(`${server.url}/api/users`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(user),
    });
    if (response.status !== 201) throw new Error(`the service created no user: ${await response.text()}`);
  }
  return server;
}

const now = Math.floor(Date.now() / 1000);
const claims = { userId: '1', iat: now - 60, exp: now + 24 * 60 * 60 };
const bearing = (token: string): Record<string, string> => ({ Authorization: `Bearer ${token}` });
const token = forge(HS256, claims, SECRET);

const profile = (status: number, headers: Record<string, string> = {}): Probe => ({
  path: '/api/profile',
  headers,
  status,
});
export const profileProbes: readonly Probe[] = [
  profile(200, bearing(token)),
  profile(401),
  profile(401, bearing(forge(HS256, claims, `${SECRET}!`))),
  profile(401, bearing(forge(HS256, { ...claims, exp: now - 30 }, SECRET))),
  profile(401, bearing(forge(HS256, { ...claims, userId: '999999' }, SECRET))),
  profile(401, bearing(forge({ alg: 'none' }, claims, ''))),
  { ...profile(400, bearing(token)), path: '/api/profile?embed=all' },
];

export const profileLoad: RateTask['load'] = { paths: ['/api/profile'], headers: bearing(token) };

const read: Omit<RateTask, 'servers' | 'plans'> = {
  work: 'service read',
  load: readLoad,
  probes: readProbes,
};

export const serviceTasks: readonly Task[] = [
  rateTask({
    ...read,
    servers,
    plans: [{ ours: SERVICE, peer: FASTIFY, target: { required: 1.3, aim: 1.6 } }, ...others],
  }),
  rateTask({
    work: 'service write',
    servers,
    plans: [{ ours: SERVICE, peer: FASTIFY, target: { required: 1.15, aim: 1.4 } }, ...others],
    load: writeLoad,
    probes: writeProbes,
  }),
  rateTask({
    work: 'service profile with a token',
    servers,
    plans: [
      { ours: SERVICE, peer: FASTIFY, target: { required: 1.2, aim: 1.6 } },
      { ours: SERVICE, peer: CACHED },
    ],
    load: profileLoad,
    probes: profileProbes,
  }),
  // What the service adds to a bare server: its headers are not the same.
  rateTask({
    ...read,
    servers,
    plans: [{ ours: SERVICE, peer: 'bare Koa', target: { required: 1.5, aim: 1.35, ofCpu: true } }],
    compareHeaders: false,
  }),
  ofSqlite(),
];

/** The service over both stores. */
function ofSqlite(): Task {
  let directory: string;
  const start = async (): Promise<ServerProcess> => {
    directory = await mkdtemp(join(tmpdir(), 'concordat-bench-'));
    return await startService({ ...settings, DATABASE_URL: `sqlite:${join(directory, 'service.db')}` });
  };
  const task = rateTask({
    ...read,
    servers: { 'service on SQLite': { start }, 'service on memory': { start: () => startService(settings) } },
    plans: [
      {
        ours: 'service on SQLite',
        peer: 'service on memory',
        target: { required: 1.25, aim: 1.15, ofCpu: true },
      },
    ],
  });
  return {
    plans: task.plans,
    async run(plans, rounds) {
      try {
        return await task.run(plans, rounds);
      } finally {
        await rm(directory, { recursive: true });
      }
    },
  };
}
