/**
 * Whether the service stays as it is under hours of work: `npm run bench -- soak [minutes]`, ten unless given, at half of the
 * rate that it reaches. Its memory and its open files are flat when the last third has no more of them than the first, within a tenth.
 */

import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServerProcess } from './server-process.js';

const CONNECTIONS = 32;
const CAPACITY_SECONDS = 10;
const SAMPLE_SECONDS = 5;
const TOLERANCE = 1.1;

interface Sample {
  readonly megabytes: number;
  readonly files: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
const json = { 'content-type': 'application/json' };
const nested = JSON.stringify({ query: '{ posts(limit: 10) { title author { name } } }' });

let sent = 0;
/** How many requests failed, by their status or the code of their error. */
const failures: Record<string, number> = {};

function fail(reason: string | number): void {
  failures[reason] = (failures[reason] ?? 0) + 1;
}

/** Of ten requests, six read a record, one a list, two ask GraphQL, and one writes. */
async function ask(url: string): Promise<void> {
  const turn = sent++ % 10;
  if (turn < 6) await send(url, 'GET', '/api/users/1');
  else if (turn === 6) await send(url, 'GET', '/api/users?limit=100&page=1');
  else if (turn < 9) await send(url, 'POST', '/graphql', nested);
  else
    await send(
      url,
      'POST',
      '/api/users',
      JSON.stringify({ name: 'Ada', email: `soak${String(sent)}@example.com` }),
    );
}

function send(url: string, method: string, path: string, body?: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const asking = request(
      url + path,
      { method, agent, headers: body === undefined ? {} : json },
      (response) => {
        const { statusCode = 500 } = response;
        if (statusCode >= 400) fail(statusCode);
        response.resume().once('end', resolve);
      },
    );
    asking.once('error', reject).end(body);
  });
}

/** Every connection asks again at once. @returns requests per second */
async function capacity(url: string): Promise<number> {
  const before = sent;
  const end = performance.now() + CAPACITY_SECONDS * 1000;
  const loop = async (): Promise<void> => {
    while (performance.now() < end) await ask(url);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, loop));
  return (sent - before) / CAPACITY_SECONDS;
}

/** Sends at a rate, whether the service keeps up or not. */
async function sendAt(url: string, rate: number, until: number): Promise<void> {
  const start = performance.now();
  const first = sent;
  let open = 0;
  while (performance.now() < until) {
    const due = ((performance.now() - start) / 1000) * rate - (sent - first);
    for (let count = 0; count < due && open < CONNECTIONS; count += 1) {
      open += 1;
      void ask(url).then(
        () => (open -= 1),
        (error: unknown) => {
          open -= 1;
          fail(error instanceof Error && 'code' in error ? String(error.code) : String(error));
        },
      );
    }
    await sleep(2);
  }
}

async function sampleOf({ pid }: ServerProcess): Promise<Sample> {
  const status = await readFile(`/proc/${String(pid)}/status`, 'utf8');
  const files = await readdir(`/proc/${String(pid)}/fd`);
  return { megabytes: Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024, files: files.length };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

const minutes = Number(process.argv[2] ?? 10);
// Not in memory: one request in ten adds a user.
const directory = await mkdtemp(join(tmpdir(), 'concordat-soak-'));
const server = await ServerProcess.startService({ DATABASE_URL: `sqlite:${join(directory, 'service.db')}` });
try {
  // The one that is read; the tenth request adds the first of its own.
  await send(server.url, 'POST', '/api/users', JSON.stringify({ name: 'Ada', email: 'ada@example.com' }));
  const rate = (await capacity(server.url)) / 2;
  console.log(`half of its capacity: ${rate.toFixed(0)} requests per second, for ${String(minutes)} minutes`);
  const end = performance.now() + minutes * 60_000;
  const samples: Sample[] = [];
  const sampling = (async () => {
    while (performance.now() < end) {
      await sleep(SAMPLE_SECONDS * 1000);
      samples.push(await sampleOf(server));
    }
  })();
  await Promise.all([sendAt(server.url, rate, end), sampling]);
  const third = Math.floor(samples.length / 3);
  for (const field of ['megabytes', 'files'] as const) {
    const [first, last] = [samples.slice(0, third), samples.slice(-third)].map((part) =>
      median(part.map((sample) => sample[field])),
    );
    const isFlat = (last ?? 0) <= (first ?? 0) * TOLERANCE;
    if (!isFlat) process.exitCode = 1;
    const verdict = isFlat ? 'flat' : 'grows';
    console.log(
      `${field}: ${String(first?.toFixed(0))} in the first third, ${String(last?.toFixed(0))} in the last: ${verdict}`,
    );
  }
  console.log(`${String(sent)} requests, failed:`, failures);
} finally {
  agent.destroy();
  await server.stop();
  await rm(directory, { recursive: true });
}
