/**
 * What `POST /api/users` takes with an outbox, without a receiver and with a webhook, beside the same without an outbox: over HTTP, on each
 * store. `npm run bench -- webhooks`; it fails if a webhook, whose events another process delivers where the store can be shared, makes it take
 * more than 1.25 of its time. `--rounds 9` is more precise, and `--only SQLite` measures one store.
 */
import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { PostgresServer } from '../support/postgres-server.js';
import { admin, outboxVariables } from '../support/sign-in.js';
import { until } from '../support/until.js';
import { median } from './compare.js';
import { CAN_PIN, LOAD_CORE } from './cores.js';
import { cpuSeconds } from './process-usage.js';
import { ServerProcess } from './server-process.js';

const MOST = 1.25;
const TURN_MS = 500;
/** Until the code of deliveries is compiled, which are fewer than the requests. */
const WARM_UP_MS = 1_500;

/** The process that receives the events. It sends its URL, and then, when it is asked, how many it has received. */
function receive(): void {
  let received = 0;
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      received += 1;
      response.writeHead(204).end();
    });
  });
  server.listen(0, '127.0.0.1', () => {
    process.send?.(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`);
  });
  process.on('message', () => process.send?.(received));
}

let users = 0;

/** Creates users, one after the other on each connection. @returns how many, and in microseconds the median that one took, and the time divided by their number */
async function createUsers(url: string, connections: number, ms: number) {
  const { port } = new URL(url);
  const took: number[] = [];
  const began = performance.now();
  const createAll = async (): Promise<void> => {
    const socket = connect(Number(port), '127.0.0.1').setNoDelay();
    while (performance.now() - began < ms) {
      const body = JSON.stringify({ name: 'Ada Lovelace', email: `ada${String(++users)}@example.com` });
      const length = String(Buffer.byteLength(body));
      const sent = performance.now();
      socket.write(
        `POST /api/users HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`,
      );
      // The service writes an answer at once.
      const [answer] = (await once(socket, 'data')) as [Buffer];
      took.push((performance.now() - sent) * 1000);
      const text = answer.toString();
      if (!text.startsWith('HTTP/1.1 201') || !text.endsWith('}')) throw new Error(text);
    }
    socket.destroy();
  };
  await Promise.all(Array.from({ length: connections }, createAll));
  const count = took.length;
  return { count, each: median(took), share: ((performance.now() - began) * 1000) / count };
}

async function register(url: string, hook: string): Promise<void> {
  const send = async (path: string, body: object, token = ''): Promise<unknown> => {
    const headers = {
      'Content-Type': 'application/json',
      ...(token && { Authorization: `Bearer ${token}` }),
    };
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(await answer.text());
    return await answer.json();
  };
  const { accessToken } = (await send('/api/auth/login', admin)) as { readonly accessToken: string };
  await send('/api/webhooks', { url: hook, types: ['user.created'] }, accessToken);
}

type Measured = Readonly<Record<'alone' | 'sixteen' | 'cpu', number>>;

async function measureStores(): Promise<void> {
  const { values } = parseArgs({
    options: { rounds: { type: 'string', default: '5' }, only: { type: 'string', default: '' } },
  });
  const directory = await mkdtemp(join(tmpdir(), 'concordat-bench-'));
  // As SQLite does, it syncs each commit.
  const postgres = await PostgresServer.start({ fsync: 'on' });
  if (CAN_PIN)
    spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', String(LOAD_CORE), String(process.pid)]);
  const receiver = fork(fileURLToPath(import.meta.url), ['receive']);
  const [hook] = (await once(receiver, 'message')) as [string];
  // It is another machine elsewhere, as is the process that delivers: here it would take the core of the load.
  setPriority(receiver.pid ?? 0, constants.priority.PRIORITY_LOW);
  const services: ServerProcess[] = [];
  let written = 0;

  /** Waits until all that was written has been delivered, so that it takes nothing of the next turn. */
  const delivered = (): Promise<void> =>
    until('all events have been delivered', async () => {
      receiver.send('count');
      const [received] = (await once(receiver, 'message')) as [number];
      return received >= written;
    });
  const measured = async (
    { url, pid }: ServerProcess,
    isReceived: boolean,
    ms: number,
  ): Promise<Measured> => {
    const before = cpuSeconds(pid);
    const one = await createUsers(url, 1, ms);
    const sixteen = await createUsers(url, 16, ms);
    const count = one.count + sixteen.count;
    if (isReceived) {
      written += count;
      await delivered();
    }
    const cpu = ((cpuSeconds(pid) - before) * 1e6) / count;
    return { alone: one.each, sixteen: sixteen.share, cpu };
  };

  try {
    for (const [store, make] of [
      ['memory', () => 'memory:'],
      ['SQLite', (state: string) => `sqlite:${join(directory, `${state}.db`)}`],
      ['PostgreSQL', () => postgres.createDatabase()],
    ] as const) {
      if (!store.includes(values.only)) continue;
      const start = async (state: string, OUTBOX: 'on' | 'off' | 'store') => {
        const variables = { ...outboxVariables, OUTBOX, DATABASE_URL: await make(state) };
        const service = await ServerProcess.startService(variables);
        services.push(service);
        if (OUTBOX === 'store') {
          const deliveries = await ServerProcess.startDeliveries(variables);
          services.push(deliveries);
          setPriority(deliveries.pid ?? 0, constants.priority.PRIORITY_LOW);
        }
        return service;
      };
      const without = await start('without', 'off');
      const states: Record<string, ServerProcess> = {
        'no receiver': await start('alone', 'on'),
        'a webhook': await start('hooked', 'on'),
        // Other processes cannot reach the memory.
        ...(store !== 'memory' && {
          'a webhook, delivered by another process': await start('stored', 'store'),
        }),
      };
      const isReceived = (state: string): boolean => state.startsWith('a webhook');
      for (const [state, { url }] of Object.entries(states)) if (isReceived(state)) await register(url, hook);
      const rounds: Readonly<Record<string, Measured>>[] = [];
      for (let round = 0; round <= Number(values.rounds); round += 1) {
        const ms = round === 0 ? WARM_UP_MS : TURN_MS;
        const figures: Record<string, Measured> = { without: await measured(without, false, ms) };
        for (const [state, service] of Object.entries(states))
          figures[state] = await measured(service, isReceived(state), ms);
        rounds.push(figures);
      }
      // The first round warms up.
      const [, ...warm] = rounds;
      console.log(`POST /api/users on ${store}`);
      const rows = { alone: 'one at a time', sixteen: '16 connections', cpu: 'CPU of the service' };
      const table = Object.entries(rows).map(([figure, what]) => {
        const key = figure as keyof Measured;
        const of = (round: Readonly<Record<string, Measured>>, state: string) => round[state]?.[key] ?? NaN;
        const ratio = (state: string) => median(warm.map((round) => of(round, state) / of(round, 'without')));
        // With deliveries in the same process, the time is what a core is shared for.
        const judged = store === 'memory' ? 'a webhook' : 'a webhook, delivered by another process';
        if (key !== 'cpu' && ratio(judged) > MOST) process.exitCode = 1;
        const row = { 'no outbox, µs': median(warm.map((round) => of(round, 'without'))).toFixed(0) };
        return [
          what,
          {
            ...row,
            ...Object.fromEntries(Object.keys(states).map((state) => [state, ratio(state).toFixed(2)])),
          },
        ] as const;
      });
      console.table(Object.fromEntries(table));
      for (const service of services.splice(0)) await service.stop();
    }
  } finally {
    for (const service of services) await service.stop();
    receiver.kill();
    await postgres.stop();
    await rm(directory, { recursive: true });
  }
}

if (process.argv[2] === 'receive') receive();
else await measureStores();
