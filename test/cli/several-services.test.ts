/** Two services that share nothing but a PostgreSQL and a Redis are one to their clients. */

import { expect } from 'chai';
import { anonymous } from '../../src/core/services/caller.js';
import { sharedPostgres } from '../support/postgres-server.js';
import { sharedRedis, withRedis } from '../support/redis-server.js';
import { type WatchedService, startWatched } from './door/watched-service.js';

const ACCOUNT = { name: 'Ada Lovelace', email: 'ada@example.com', password: 'long enough' };

withRedis('two services on one PostgreSQL and one Redis', function () {
  let first: WatchedService;
  let second: WatchedService;
  let limited: readonly [WatchedService, WatchedService];

  before(async function () {
    this.timeout(60_000);
    const shared = {
      DATABASE_URL: await (await sharedPostgres()).createDatabase(),
      EVENTS_URL: (await sharedRedis()).url,
      ACCESS_TOKEN_SECRET: 'a'.repeat(32),
      REFRESH_TOKEN_SECRET: 'b'.repeat(32),
    };
    // At once, so that both want to bring the empty database up to date.
    [first, second] = await Promise.all([startWatched(shared), startWatched(shared)]);
    const few = { ...shared, RATE_LIMIT: '10' };
    limited = [await startWatched(few), await startWatched(few)];
    await post(first, '/api/users', ACCOUNT);
  });
  after(() => Promise.all([first, second, ...limited].map((service) => service.stop())));

  function post({ url }: WatchedService, path: string, body: unknown): Promise<Response> {
    const headers = { 'Content-Type': 'application/json' };
    return fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  it('take the tokens of each other', async () => {
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

  it('tell the subscribers of each other of new posts', async () => {
    const posts = await second.services.posts.subscribeAdded(anonymous);
    const next = posts.next();
    const query = 'mutation { createPost(title: "Hello", content: "…", authorId: "1") { id } }';
    const created = await post(first, '/graphql', { query });
    expect(await created.json()).to.have.nested.property('data.createPost.id');
    expect((await next).value).to.include({ title: 'Hello' });
    await posts.return?.();
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
