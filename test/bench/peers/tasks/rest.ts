/** The contract's users over the memory store: the core beside frameworks that do the same. */

import { UNIQUE } from '../../load.js';
import { type RateTask, type Server, type Task, peer, rateTask } from '../rate-task.js';
import type { Probe } from '../same-answers.js';

const NODE = 'core on node';
const KOA = 'core on Koa';
const PAST_KOA = 'core on Koa, sendPastKoa';

const servers: Readonly<Record<string, Server>> = {
  [NODE]: peer('rest/concordat-node.js'),
  [KOA]: peer('rest/concordat-koa.js'),
  [PAST_KOA]: peer('rest/concordat-koa.js', 'send'),
  Fastify: peer('rest/fastify.js'),
  'bare Koa': { ...peer('rest/bare-koa.js'), checks: false },
  'bare node:http': { ...peer('rest/bare-node.js'), checks: false },
  'Express + express-openapi-validator': peer('rest/express-openapi-validator.js'),
  'Koa + openapi-backend': peer('rest/koa-openapi-backend.js'),
  'Hono + zod-openapi': peer('rest/hono-zod-openapi.js'),
};

type Limits = readonly [required: number, aim: number];

/**
 * @param fastify - the least ratio of the rates to Fastify's, and the one to aim for
 * @param bareNode - the most that the CPU time may be in proportion to that of a bare server, and the one to aim for
 * @param bareKoa - the same for Koa
 */
function plansOf(fastify: Limits, bareNode: Limits, bareKoa: Limits): RateTask['plans'] {
  const [required, aim] = fastify;
  const ofCpu = ([most, best]: Limits) => ({ required: most, aim: best, ofCpu: true }) as const;
  return [
    { ours: NODE, peer: 'Fastify', target: { required, aim } },
    { ours: NODE, peer: 'bare node:http', target: ofCpu(bareNode) },
    { ours: KOA, peer: 'bare Koa', target: ofCpu(bareKoa) },
    { ours: PAST_KOA, peer: 'bare Koa', target: ofCpu(bareKoa) },
    { ours: NODE, peer: 'Express + express-openapi-validator', target: { required: 5 } },
    { ours: KOA, peer: 'Koa + openapi-backend', target: { required: 5 } },
    { ours: NODE, peer: 'Hono + zod-openapi', target: { required: 1.5 } },
  ];
}

const paths = Array.from({ length: 100 }, (_, index) => `/api/users/${String(index + 1)}`) as [
  string,
  ...string[],
];
export const readLoad: RateTask['load'] = { paths };

export const readProbes: readonly Probe[] = [
  { path: '/api/users/1', status: 200 },
  { path: '/api/users/100', status: 200 },
  { path: '/api/users/999999', status: 404 },
  { path: '/api/users/1?embed=all', status: 400 },
];

export const listProbes: readonly Probe[] = [
  { path: '/api/users?limit=100', status: 200 },
  { path: '/api/users?limit=100&page=2', status: 200 },
  { path: '/api/users?limit=100&embed=all', status: 400 },
  { path: '/api/users?cursor=x', status: 400 },
];

const ada = { name: 'Ada Lovelace', email: 'ada@example.com', city: 'London' };
const sending = (body: object, status: number, headers = {}): Probe => ({
  path: '/api/users',
  method: 'POST',
  body: JSON.stringify(body),
  headers,
  status,
});

export const writeProbes: readonly Probe[] = [
  sending(ada, 201),
  sending({ ...ada, email: 'ADA@example.com' }, 409),
  sending({ name: ada.name }, 400),
  sending({ ...ada, email: 'ada' }, 400),
  sending({ ...ada, name: '' }, 400),
  sending({ ...ada, name: 'a'.repeat(201) }, 400),
  sending({ ...ada, name: 'a\u0001' }, 400),
  sending({ ...ada, name: 5 }, 400),
  sending({ ...ada, password: 'short' }, 400),
  sending({ ...ada, country: 'England' }, 400),
  sending({ ...ada, role: 'king' }, 400),
  sending({ ...ada, role: 'admin' }, 401),
  sending(ada, 400, { 'Idempotency-Key': 'k'.repeat(256) }),
  sending(ada, 415, { 'Content-Type': 'text/plain' }),
  { path: '/api/users', method: 'POST', body: '{"name":', status: 400 },
];

export const writeLoad: RateTask['load'] = {
  paths: ['/api/users'],
  body: JSON.stringify({ ...ada, email: `${UNIQUE}@example.com` }),
};

export const listLoad: RateTask['load'] = { paths: ['/api/users?limit=100'] };

export const restTasks: readonly Task[] = [
  rateTask({
    work: 'read',
    servers,
    plans: plansOf([1, 1.15], [1.15, 1.08], [1.07, 1.03]),
    load: readLoad,
    probes: readProbes,
  }),
  rateTask({
    work: 'write',
    servers,
    plans: plansOf([0.95, 1.15], [1.25, 1.15], [1.15, 1.03]),
    load: writeLoad,
    probes: writeProbes,
  }),
  rateTask({
    work: 'list of 100',
    servers,
    plans: plansOf([1.05, 1.3], [1.05, 1.02], [1.05, 1.03]),
    load: listLoad,
    probes: listProbes,
  }),
];
