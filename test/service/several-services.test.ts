/**
 * Two service processes that share a PostgreSQL and a Redis behave like one service to their clients. Their subscriptions are
 * tested in `service-processes.test.ts`.
 */

import { once } from 'node:events';
import { expect } from 'chai';
import { ROOT } from '../architecture/source-tree.js';
import { sharedPostgres } from '../support/postgres-server.js';
import { sharedRedis, withRedis } from '../support/redis-server.js';
import { type StartedProcess, startProcess } from '../support/started-process.js';

const ACCOUNT = { name: 'Ada Lovelace', email: 'ada@example.com', password: 'long enough' };

withRedis('two service processes on one PostgreSQL and one Redis', function () {
  let first: StartedProcess;
  let second: StartedProcess;
  let limited: readonly [StartedProcess, StartedProcess];

  before(async () => {
    const shared = {
      DATABASE_URL: await (await sharedPostgres()).createDatabase(),
      EVENTS_URL: (await sharedRedis()).url,
      ACCESS_TOKEN_SECRET: 'a'.repeat(32),
      REFRESH_TOKEN_SECRET: 'b'.repeat(32),
    };
    const start = (): Promise<StartedProcess> => startProcess(ROOT, shared);
    // Concurrently, so that both try to migrate the empty database.
    [first, second] = await Promise.all([start(), start()]);
    const startLimited = (): Promise<StartedProcess> => startProcess(ROOT, { ...shared, RATE_LIMIT: '10' });
    limited = await Promise.all([startLimited(), startLimited()]);
    await post(first, '/api/users', ACCOUNT);
  });
  after(async () => {
    for (const { child } of [first, second, ...limited]) {
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      expect(await exit).to.deep.equal([0, null]);
    }
  });

  function post({ url }: StartedProcess, path: string, body: unknown): Promise<Response> {
    const headers = { 'Content-Type': 'application/json' };
    return fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  it('accept the tokens of each other', async () => {
    const { email, password } = ACCOUNT;
    const signIn = await post(first, '/api/auth/login', { email, password });
    const { accessToken, refreshToken } = (await signIn.json()) as {
      accessToken: string;
      refreshToken: string;
    };
    const headers = { Authorization: `Bearer ${accessToken}` };
    const profile = await fetch(`${second.url}/api/profile`, { headers });
    expect(await profile.json()).to.include({ email });
    expect((await post(second, '/api/auth/refresh', { refreshToken })).status).to.equal(200);
    expect((await post(second, '/api/auth/logout', { refreshToken })).status).to.equal(204);
    expect((await post(first, '/api/auth/refresh', { refreshToken })).status).to.equal(401);
  });

  it('count the requests of an address together', async () => {
    const statuses: number[] = [];
    for (let index = 0; index < 12; index += 1) {
      statuses.push((await fetch(`${limited[index % 2 ? 1 : 0].url}/api/users`)).status);
    }
    expect(statuses.filter((status) => status === 200)).to.have.length(10);
    expect(statuses.slice(10)).to.deep.equal([429, 429]);
  });

  it('count failed sign-ins together', async () => {
    const wrong = { email: 'nobody@example.com', password: 'wrong' };
    const statuses: number[] = [];
    for (let index = 0; index < 11; index += 1) {
      statuses.push((await post(index % 2 === 0 ? first : second, '/api/auth/login', wrong)).status);
    }
    expect(statuses).to.deep.equal([...Array<number>(10).fill(401), 429]);
  });
});
