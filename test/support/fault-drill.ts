/**
 * A fault drill: a service under load while a server that it needs is out of order. The fault has one line in the log, `/readyz` is
 * right within two seconds, nothing acknowledged is lost, and nothing refused is kept.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { type StartedProcess, startProcess } from './started-process.js';
import { until } from './until.js';
import { patientNow } from './durations.js';

/** How long a server is out of order. */
const OUTAGE = 2500;

/** The time until `/readyz` shows a fault, and the longest that it takes to answer. */
const NOTICED = 2000;

/** Clients that write one user after the other. */
const WRITERS = 4;

export interface Fault {
  readonly begin: () => unknown;
  /** Ends the fault; the service is to be ready soon after. */
  readonly end: () => unknown;
  /** The sentence of `/readyz`. */
  readonly unready: RegExp;
  /** Whether requests fail meanwhile, and `/readyz` with them. */
  readonly fails: boolean;
  /** The server, and the cause in the log. */
  readonly server: () => string;
  readonly cause: RegExp;
}

/** What `/readyz` and the log show when PostgreSQL fails, and when Redis does. */
export const ofPostgres = {
  fails: true,
  unready: /^The database does not answer/,
  cause: /terminat|ECONNREFUSED|ECONNRESET|EPIPE|timeout|did not answer/,
};
export const ofRedis = {
  fails: false,
  unready: /^The events do not answer/,
  cause: /closed|isn't writeable|ECONNREFUSED|ECONNRESET|EPIPE|no answer within 1000 ms|timeout/i,
};

/** @param program - where the service was compiled to @param settings - the URLs of the servers */
export async function drill(
  program: string,
  settings: { readonly DATABASE_URL: string; readonly EVENTS_URL: string },
  fault: Fault,
): Promise<void> {
  const service = await startProcess(program, { ...settings, RATE_LIMIT: '1000000', LOG_LEVEL: 'error' });
  expect(service.url, service.output()).not.to.equal('');
  const clients = new Clients(service.url);
  try {
    await until('it is ready', async () => (await clients.readiness()) === 'ready');

    await fault.begin();
    const [start, patientStart] = [performance.now(), patientNow()];
    await until('it is not ready', async () => (await clients.readiness()) !== 'ready');
    expect(patientNow() - patientStart, 'until /readyz shows it').to.be.below(NOTICED);
    while (performance.now() - start < OUTAGE) {
      expect(await clients.readiness(fault.fails ? 503 : 200)).to.match(fault.unready);
      // A probe that asks ten times per second.
      await sleep(100);
    }

    await fault.end();
    await until('it is ready again', async () => (await clients.readiness()) === 'ready');
    await clients.writeAgain();
  } finally {
    await clients.stop();
  }
  clients.expectExactly(await storedEmails(service.url));
  if (!fault.fails) clients.expectNoRefusal();
  expect(clients.slowest['/healthz'], 'the slowest /healthz').to.be.below(NOTICED);
  expect(clients.slowest['/readyz'], 'the slowest /readyz').to.be.below(NOTICED);
  service.child.kill();
  expect(await service.exit).to.equal(0);
  expectOneLine(service, fault, settings.DATABASE_URL);
}

/** Checks that a fault has one line in ten seconds, the first one with its cause. */
function expectOneLine({ output }: StartedProcess, { server, cause }: Fault, databaseUrl: string): void {
  const lines = output()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
    .filter(({ level }) => level === 50);
  const [first] = lines;
  const { hostname: host, port } = new URL(server());
  expect(first).to.include({ host, port: Number(port) });
  expect(first?.['cause']).to.match(cause);
  const times = lines.map(({ time }) => Date.parse(String(time)));
  for (const [index, time] of times.entries())
    expect(time - (times[index - 1] ?? -Infinity), output()).to.be.at.least(9_990);
  const [, password = ''] = /:([^:@]+)@/.exec(databaseUrl) ?? [];
  expect(password).not.to.equal('');
  expect(output()).not.to.include(password);
}

/** The load: clients that write users, one that asks `/healthz`, and what was answered. */
class Clients {
  readonly #url: string;
  readonly #statuses = new Map<string, number>();
  readonly #load: Promise<unknown>;
  #isOver = false;
  /** The longest time of an answer, in milliseconds. */
  readonly slowest = { '/healthz': 0, '/readyz': 0 };

  constructor(url: string) {
    this.#url = url;
    const writers = Array.from({ length: WRITERS }, (_, writer) => this.#write(writer));
    this.#load = Promise.all([...writers, this.#askHealth()]);
  }

  /** Waits until a write succeeds that begins after this call. */
  async writeAgain(): Promise<void> {
    const before = this.#statuses.size + WRITERS;
    await until('writes succeed again', () =>
      [...this.#statuses.values()].slice(before).some((status) => status === 201),
    );
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#load;
  }

  /** @returns `ready`, or the sentence of the refusal or of the warning */
  async readiness(status?: number): Promise<string> {
    const answer = await this.#timed('/readyz');
    const body = (await answer.json()) as {
      readonly error?: string;
      readonly status?: string;
      readonly warnings?: readonly string[];
    };
    expect(answer.status).to.equal(status ?? (body.error === undefined ? 200 : 503));
    return body.error ?? body.warnings?.[0] ?? String(body.status);
  }

  expectExactly(stored: ReadonlySet<string>): void {
    const of = (wanted: number) => [...this.#statuses].filter(([, status]) => status === wanted);
    for (const [email] of of(201)) expect(stored, `${email} was acknowledged`).to.include(email);
    for (const [email] of of(503)) expect(stored, `${email} was refused`).to.not.include(email);
    // 500 says that it is not known whether the write was stored.
    expect(of(201).length + of(503).length + of(500).length).to.equal(this.#statuses.size);
    expect(of(500).length).to.be.at.most(WRITERS);
    expect(of(201).length).to.be.above(0);
  }

  expectNoRefusal(): void {
    expect([...this.#statuses.values()].filter((status) => status !== 201)).to.deep.equal([]);
  }

  async #write(writer: number): Promise<void> {
    for (let count = 0; !this.#isOver; count += 1) {
      const email = `w${String(writer)}n${String(count)}@example.com`;
      const { status } = await fetch(`${this.#url}/api/users`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Ada', email }),
      });
      this.#statuses.set(email, status);
      // A writer that does not pause would take the time of the servers, which must answer within a second.
      await sleep(10);
    }
  }

  async #askHealth(): Promise<void> {
    while (!this.#isOver) {
      expect((await this.#timed('/healthz')).status).to.equal(200);
      await sleep(50);
    }
  }

  async #timed(path: keyof Clients['slowest']): Promise<Response> {
    const start = patientNow();
    const answer = await fetch(this.#url + path);
    this.slowest[path] = Math.max(this.slowest[path], patientNow() - start);
    return answer;
  }
}

async function storedEmails(url: string): Promise<ReadonlySet<string>> {
  const emails = new Set<string>();
  for (let cursor: string | null = ''; cursor !== null;) {
    const answer = await fetch(`${url}/api/users?limit=100&cursor=${cursor}`);
    const { data, pagination } = (await answer.json()) as {
      readonly data: readonly { readonly email: string }[];
      readonly pagination: { readonly nextCursor: string | null };
    };
    for (const { email } of data) emails.add(email);
    cursor = pagination.nextCursor;
  }
  return emails;
}
