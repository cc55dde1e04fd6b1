/** A service under load whose PostgreSQL or Redis stops, restarts or freezes: nothing acknowledged is lost, nothing refused is kept. */

import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { compileService } from '../support/compiled-service.js';
import { PostgresServer } from '../support/postgres-server.js';
import { RedisServer, withRedis } from '../support/redis-server.js';
import { type StartedProcess, startProcess } from '../support/started-process.js';
import { until } from '../support/until.js';

/** How long a server is out of order. */
const OUTAGE = 3000;

/** Clients that write one user after the other. */
const WRITERS = 4;

withRedis('a service under load whose foundations break', () => {
  let postgres: PostgresServer;
  let redis: RedisServer;
  let program = '';
  let service: StartedProcess;

  before(async function () {
    this.timeout(60_000);
    program = await compileService();
    [postgres, redis] = await Promise.all([PostgresServer.start(), RedisServer.start()]);
    const DATABASE_URL = await postgres.createDatabase();
    const settings = { DATABASE_URL, EVENTS_URL: redis.url, RATE_LIMIT: '1000000', LOG_LEVEL: 'silent' };
    service = await startProcess(program, settings);
  });
  after(async () => {
    service.child.kill();
    expect(await service.exit).to.equal(0);
    await Promise.all([redis.kill(), postgres.stop(), rm(program, { recursive: true })]);
  });

  const faults: readonly (readonly [name: string, begin: () => unknown, end: () => unknown])[] = [
    ['PostgreSQL is killed and restarted', () => postgres.kill(), () => postgres.restart()],
    ['PostgreSQL freezes', () => postgres.pause(), () => postgres.resume()],
    ['Redis is killed and restarted', () => redis.kill(), () => redis.restart()],
    ['Redis freezes', () => redis.pause(), () => redis.resume()],
  ];
  let round = 0;
  for (const [name, begin, end] of faults) {
    it(`keeps what it acknowledged while ${name}`, async function () {
      this.timeout(60_000);
      round += 1;
      const statuses = new Map<string, number>();
      let isOver = false;
      let slowest = 0;
      const write = async (writer: number): Promise<void> => {
        for (let count = 0; !isOver; count += 1) {
          const email = `r${String(round)}w${String(writer)}n${String(count)}@example.com`;
          const status = await signUp(email);
          statuses.set(email, status);
          // What is refused is refused at once, and would take the time of all others.
          if (status !== 201) await sleep(10);
        }
      };
      const ask = async (): Promise<void> => {
        while (!isOver) {
          const start = performance.now();
          expect((await fetch(`${service.url}/healthz`)).status).to.equal(200);
          slowest = Math.max(slowest, performance.now() - start);
          await sleep(50);
        }
      };
      const load = [...Array.from({ length: WRITERS }, (_, writer) => write(writer)), ask()];
      await sleep(300);
      await begin();
      await sleep(OUTAGE);
      await end();
      await until('it is ready again', async () => (await fetch(`${service.url}/readyz`)).status === 200);
      const after = statuses.size;
      await until('writes succeed again', () =>
        [...statuses.values()].slice(after).some((status) => status === 201),
      );
      isOver = true;
      await Promise.all(load);

      const stored = await storedEmails();
      const of = (wanted: number) => [...statuses].filter(([, status]) => status === wanted);
      for (const [email] of of(201)) expect(stored, `${email} was acknowledged`).to.include(email);
      for (const [email] of of(503)) expect(stored, `${email} was refused`).to.not.include(email);
      // 500 says that it is not known whether the write was stored.
      expect(of(201).length + of(503).length + of(500).length).to.equal(statuses.size);
      expect(of(500).length).to.be.at.most(WRITERS);
      expect(slowest, 'the slowest /healthz').to.be.below(1000);
    });
  }

  async function signUp(email: string): Promise<number> {
    const { status } = await fetch(`${service.url}/api/users`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Ada', email }),
    });
    return status;
  }

  async function storedEmails(): Promise<ReadonlySet<string>> {
    const emails = new Set<string>();
    for (let cursor: string | null = ''; cursor !== null;) {
      const answer = await fetch(`${service.url}/api/users?limit=100&cursor=${cursor}`);
      const { data, pagination } = (await answer.json()) as {
        readonly data: readonly { readonly email: string }[];
        readonly pagination: { readonly nextCursor: string | null };
      };
      for (const { email } of data) emails.add(email);
      cursor = pagination.nextCursor;
    }
    return emails;
  }
});
