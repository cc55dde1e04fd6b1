/** Restarts two services behind nginx, one after the other, under a load of POST requests. */

import { spawn } from 'node:child_process';
import { Agent, request } from 'node:http';
import pg from 'pg';
import { HeldService } from './held-service.js';
import { deployment, NginxServer } from './nginx-server.js';
import { sharedPostgres } from './postgres-server.js';

export interface RestartLoad {
  /** Where the service was compiled to. */
  readonly directory: string;
  readonly restarts: number;
  /** At least as many requests are sent, and more if the restarts take longer. */
  readonly requests: number;
  /** Whether the sockets are held by a parent (`LISTEN_FDS`), in place of a `PORT`. */
  readonly isHeld: boolean;
  /** The number of processes beside it that do nothing but take the processor. */
  readonly busyLoops: number;
}

export interface RestartFigures {
  readonly requests: number;
  /** The answers other than a success, with their number. */
  readonly failures: ReadonlyMap<string, number>;
  readonly failed: number;
  /** The log of nginx, if a request failed. */
  readonly reasons: string;
  /** The number of stored records, and of the requests that they come from. */
  readonly stored: number;
  readonly storedRequests: number;
  readonly slowestMs: number;
}

const CLIENTS = 8;

export async function restartUnderLoad(load: RestartLoad): Promise<RestartFigures> {
  const databaseUrl = await (await sharedPostgres()).createDatabase();
  const variables = {
    DATABASE_URL: databaseUrl,
    TRUST_PROXY: '1',
    ACCESS_TOKEN_SECRET: 'a'.repeat(32),
    REFRESH_TOKEN_SECRET: 'b'.repeat(32),
  };
  const start = () => HeldService.start(load.directory, variables, load.isHeld);
  const services = [await start(), await start()] as const;
  const nginx = await NginxServer.start(deployment([services[0].port, services[1].port]));
  const loops = Array.from({ length: load.busyLoops }, () =>
    spawn('/bin/sh', ['-c', 'while :; do :; done'], { stdio: 'ignore' }),
  );
  try {
    const figures = await sendWhile(nginx.url, load.requests, async () => {
      for (let count = 0; count < load.restarts; count += 1)
        await services[count % 2 === 0 ? 0 : 1].restart();
    });
    const reasons = figures.failed > 0 ? await nginx.errors() : '';
    return { ...figures, reasons, ...(await storedIn(databaseUrl)) };
  } finally {
    for (const loop of loops) loop.kill('SIGKILL');
    await nginx.stop();
    for (const service of services) await service.stop();
  }
}

type Sent = Omit<RestartFigures, 'reasons' | 'stored' | 'storedRequests'>;

/** Sends requests while the work is done, and until there were enough. */
async function sendWhile(url: string, least: number, work: () => Promise<void>): Promise<Sent> {
  const agent = new Agent({ keepAlive: true });
  const failures = new Map<string, number>();
  let [requests, failed, slowestMs, isDone] = [0, 0, 0, false];
  const { body } = await post(agent, `${url}/api/users`, { name: 'Ada', email: 'ada@example.com' });
  const { id: authorId } = JSON.parse(body) as { readonly id: string };
  const query =
    'mutation ($title: String!, $authorId: ID!) { createPost(title: $title, content: "It is.", authorId: $authorId) { id } }';

  async function client(): Promise<void> {
    while (!isDone || requests < least) {
      requests += 1;
      const started = performance.now();
      const outcome = await post(agent, `${url}/graphql`, {
        query,
        variables: { title: `Post ${String(requests)}`, authorId },
      }).then(
        (answer) =>
          answer.status === 200 && !answer.body.includes('"errors"')
            ? 'success'
            : `${String(answer.status)} ${answer.body}`,
        String,
      );
      slowestMs = Math.max(slowestMs, performance.now() - started);
      if (outcome === 'success') continue;
      failed += 1;
      failures.set(outcome, (failures.get(outcome) ?? 0) + 1);
    }
  }
  const clients = Array.from({ length: CLIENTS }, client);
  try {
    await work();
  } finally {
    isDone = true;
    await Promise.all(clients);
    agent.destroy();
  }
  return { requests, failures, failed, slowestMs };
}

function post(
  agent: Agent,
  url: string,
  value: unknown,
): Promise<{ readonly status: number; readonly body: string }> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json' };
    const sending = request(url, { agent, method: 'POST', headers }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      response.once('error', reject);
      response.once('end', () => {
        resolve({ status: response.statusCode ?? 0, body });
      });
    });
    sending.once('error', reject).end(JSON.stringify(value));
  });
}

async function storedIn(databaseUrl: string): Promise<Pick<RestartFigures, 'stored' | 'storedRequests'>> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    const { rows } = await client.query<{ stored: number; titles: number }>(
      'select count(*)::int as stored, count(distinct title)::int as titles from posts',
    );
    const [{ stored, titles } = { stored: 0, titles: 0 }] = rows;
    return { stored, storedRequests: titles };
  } finally {
    await client.end();
  }
}
