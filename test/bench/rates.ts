/**
 * Requests per second: `npm run bench -- rates`. Two servers take turns on one core; the load comes from another.
 * `--rounds 9 --seconds 3` is more precise; `--only core` runs the comparisons whose candidate has that name.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CAN_PIN } from './cores.js';
import { type Comparison, type Rounds, compare, median } from './compare.js';
import { type Load, type Meter, findMeter } from './load.js';
import { ServerProcess } from './server-process.js';
import { sizedContract } from './sized-contract.js';

interface Case {
  readonly name: string;
  readonly baseline: string;
  readonly candidate: string;
  /** The least ratio to the baseline's rate that passes; undefined when the ratio is only reported. */
  readonly target?: number;
  run(measure: Meter, rounds: Rounds): Promise<Comparison>;
}

const TYPESCRIPT = ['--conditions=@concordat/source', '--import', 'tsx'];

const CASES: readonly Case[] = [
  {
    name: 'GET /api/users/{id} over the memory store',
    baseline: 'bare Koa, the same bytes',
    candidate: 'the core behind the engine and Koa',
    target: 0.9,
    run: (measure, rounds) => compareWithBareKoa(measure, rounds, startCore),
  },
  {
    name: 'GET /api/users/{id} over the memory store',
    baseline: 'bare Koa, the same bytes',
    candidate: 'the whole service, with request ids, a log, metrics and security headers',
    run: (measure, rounds) => compareWithBareKoa(measure, rounds, startService),
  },
  {
    name: 'GET /api/users/{id} of the service, by store',
    baseline: 'over the memory store',
    candidate: 'over SQLite',
    target: 0.6,
    run: compareStores,
  },
  {
    name: 'GET /api/resources-1/{id}',
    baseline: 'a contract of 30 operations',
    candidate: 'a contract of 1,000 operations',
    target: 0.95,
    run: (measure, rounds) => compareSizes(measure, rounds, ([first]) => [first]),
  },
  {
    name: 'GET /api/resources-N/{id}, every N in turn',
    baseline: 'a contract of 30 operations',
    candidate: 'a contract of 1,000 operations',
    target: 0.95,
    // Each of a thousand handlers is called rarely, so V8 needs this long to optimise them all.
    run: (measure, rounds) => compareSizes(measure, { ...rounds, warmUpSeconds: 15 }, (paths) => paths),
  },
];

interface Candidate {
  readonly server: ServerProcess;
  /** To a user. */
  readonly path: string;
}

async function startCore(): Promise<Candidate> {
  const server = await ServerProcess.start(...TYPESCRIPT, 'test/bench/servers/core-koa.ts');
  return { server, path: '/api/users/1' };
}

async function startService(): Promise<Candidate> {
  const server = await ServerProcess.startService({ LOG_LEVEL: 'info' });
  return { server, path: await createUser(server.url) };
}

async function compareWithBareKoa(
  measure: Meter,
  rounds: Rounds,
  start: () => Promise<Candidate>,
): Promise<Comparison> {
  const { server, path } = await start();
  try {
    const answer = await answerOf(server.url + path);
    const bare = await ServerProcess.start(...TYPESCRIPT, 'test/bench/servers/bare-koa.ts', answer);
    try {
      const same = withoutId(await answerOf(bare.url + path)) === withoutId(answer);
      if (!same) throw new Error('bare Koa answers with different bytes');
      const load = ({ url }: ServerProcess): Load => ({ url, paths: [path] });
      return await compare(measure, load(bare), load(server), rounds);
    } finally {
      await bare.stop();
    }
  } finally {
    await server.stop();
  }
}

async function compareStores(measure: Meter, rounds: Rounds): Promise<Comparison> {
  const directory = await mkdtemp(join(tmpdir(), 'concordat-bench-'));
  const memory = await ServerProcess.startService();
  const sqlite = await ServerProcess.startService({
    DATABASE_URL: `sqlite:${join(directory, 'service.db')}`,
  });
  try {
    const load = async ({ url }: ServerProcess): Promise<Load> => ({ url, paths: [await createUser(url)] });
    return await compare(measure, await load(memory), await load(sqlite), rounds);
  } finally {
    await memory.stop();
    await sqlite.stop();
    await rm(directory, { recursive: true });
  }
}

/** @returns the path of the user */
async function createUser(url: string): Promise<string> {
  const response = await fetch(`${url}/api/users`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Ada Lovelace', email: 'ada@example.com', city: 'London' }),
  });
  const location = response.headers.get('Location');
  if (location === null) throw new Error(`the service created no user: ${await response.text()}`);
  return location;
}

const NODES_OWN = new Set(['connection', 'content-length', 'date', 'keep-alive']);

/** The answer of a server, without the headers that Node adds. */
async function answerOf(url: string): Promise<string> {
  const response = await fetch(url);
  if (response.status !== 200) throw new Error(`${url} answers ${response.status}`);
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !NODES_OWN.has(name)));
  return JSON.stringify({ headers, body: await response.text() });
}

/** Removes the id of the request, which differs each time. */
function withoutId(answer: string): string {
  return answer.replace(/("x-request-id":)"[^"]*"/, '$1""');
}

/** @param choose - selects the paths of a contract to request */
async function compareSizes(
  measure: Meter,
  rounds: Rounds,
  choose: (paths: Load['paths']) => Load['paths'],
): Promise<Comparison> {
  const contracts = [await sizedContract(30), await sizedContract(1000)] as const;
  const servers: ServerProcess[] = [];
  try {
    const loads: Load[] = [];
    for (const { moduleUrl, paths } of contracts) {
      const server = await ServerProcess.start(
        ...TYPESCRIPT,
        'test/bench/servers/contract-koa.ts',
        moduleUrl,
      );
      servers.push(server);
      loads.push({ url: server.url, paths: choose(paths) });
    }
    const [small, large] = loads;
    if (small === undefined || large === undefined) throw new Error('a server is missing');
    return await compare(measure, small, large, rounds);
  } finally {
    for (const server of servers) await server.stop();
    for (const contract of contracts) contract.remove();
  }
}

function report({ name, baseline, candidate, target }: Case, rates: Comparison): void {
  const ratio = median(rates.candidate) / median(rates.baseline);
  console.log(`\n${name}`);
  console.table({
    [baseline]: figures(rates.baseline),
    [candidate]: figures(rates.candidate),
  });
  const verdict =
    target === undefined
      ? ''
      : `; the target, ${target.toFixed(2)}, is ${ratio >= target ? 'reached' : 'missed'}`;
  console.log(`ratio ${ratio.toFixed(3)}${verdict}`);
}

function figures(rates: readonly number[]): Readonly<Record<string, number>> {
  return {
    'median req/s': Math.round(median(rates)),
    lowest: Math.round(Math.min(...rates)),
    highest: Math.round(Math.max(...rates)),
  };
}

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '2' },
    only: { type: 'string', default: '' },
  },
});
const rounds: Rounds = { count: Number(values.rounds), seconds: Number(values.seconds) };
const meter = findMeter();
console.log(
  `${meter.name}, ${rounds.count} rounds of ${rounds.seconds} s each, Node ${process.version}, ` +
    (CAN_PIN ? 'server and load on cores of their own' : 'server and load not kept apart'),
);
for (const each of CASES) {
  if (each.candidate.includes(values.only)) report(each, await each.run(meter.measure, rounds));
}
