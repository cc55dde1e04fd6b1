/** What `/metrics` has after a service was used, on PostgreSQL with its events. */

import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import pg from 'pg';
import { Metrics } from '../../../src/service/watch/metrics.js';
import { metricsTable } from '../../../src/service/watch/metrics-table.js';
import { sharedPostgres } from '../../support/postgres-server.js';
import { itWithPromtool, promtool } from '../../support/promtool.js';
import { until } from '../../support/until.js';
import { startWatched, type WatchedService } from './watched-service.js';

describe('/metrics of a service that is used', () => {
  const admin = { email: 'admin@example.com', password: 'correct horse battery' };
  const leave = new AbortController();
  let service: WatchedService;

  before(async () => {
    const database = await (await sharedPostgres()).createDatabase();
    service = await startWatched({
      DATABASE_URL: database,
      EVENTS_URL: database,
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      SIGN_UP_LIMIT: '1',
    });
  });
  after(async () => {
    leave.abort();
    await service.stop();
  });

  async function text(): Promise<string> {
    return await (await fetch(`${service.url}/metrics`)).text();
  }

  /** The value of a sample; undefined without one. */
  async function sample(name: string): Promise<number | undefined> {
    const line = (await text()).split('\n').find((each) => each.startsWith(`${name} `));
    return line === undefined ? undefined : Number(line.split(' ')[1]);
  }

  function post(
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    return fetch(service.url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: leave.signal,
    });
  }

  it('has calls of stores by name, and the pool', async () => {
    await fetch(`${service.url}/api/users/1`);
    expect(await sample('database_call_duration_seconds_count{call="users.find",outcome="ok"}')).to.equal(1);
    expect(await sample('database_call_duration_seconds_count{call="users.create",outcome="ok"}')).to.equal(
      1,
    );
    expect(await sample('database_pool_wait_seconds_count{outcome="ok"}')).to.be.above(2);
    expect(await sample('database_pool_connections{state="idle"}')).to.be.above(0);
    expect(await sample('database_pool_connections{state="max"}')).to.equal(10);
    expect(await sample('database_pool_waiting')).to.equal(0);
  });

  it('has the refusals of limits by kind', async () => {
    for (const number of [1, 2]) {
      await post('/api/users', {
        name: 'Ada',
        email: `ada${String(number)}@example.com`,
        password: 'ada lovelace',
      });
    }
    expect(await sample('limiter_refusals_total{kind="sign-up"}')).to.equal(1);
    expect(await sample('limiter_refusals_total{kind="request"}')).to.equal(undefined);
  });

  it('has the cache of verified tokens', async () => {
    const answer = await post('/api/auth/login', admin);
    const { accessToken } = (await answer.json()) as { readonly accessToken: string };
    for (let count = 0; count < 3; count += 1) {
      await fetch(`${service.url}/api/users/1`, { headers: { Authorization: `Bearer ${accessToken}` } });
    }
    expect(await sample('access_token_lookups_total{outcome="miss"}')).to.equal(1);
    expect(await sample('access_token_lookups_total{outcome="hit"}')).to.equal(2);
    expect(await sample('access_tokens_cached')).to.equal(1);
  });

  it('has the cache of GraphQL documents and the operations that were refused', async () => {
    for (const query of ['{ users { id } }', '{ users { id } }', '{ nothing }', '{']) {
      await post('/graphql', { query });
    }
    expect(await sample('graphql_document_lookups_total{outcome="miss"}')).to.equal(3);
    expect(await sample('graphql_document_lookups_total{outcome="hit"}')).to.equal(1);
    expect(await sample('graphql_cached_documents')).to.equal(1);
    expect(await sample('graphql_cached_documents_bytes')).to.be.above(1000);
    for (const code of ['GRAPHQL_VALIDATION_FAILED', 'GRAPHQL_PARSE_FAILED']) {
      expect(await sample(`graphql_refused_operations_total{code="${code}"}`), code).to.equal(1);
    }
  });

  it('has the events, their lag, and the subscribers with their queues', async () => {
    const query = 'subscription { postAdded { id } }';
    const stream = await post('/graphql', { query }, { Accept: 'text/event-stream' });
    expect(await sample('graphql_streams{transport="sse"}')).to.equal(1);
    expect(await sample('post_subscribers')).to.equal(1);
    expect(await sample('post_subscriber_queued_posts')).to.equal(0);
    const mutation = 'mutation { createPost(title: "T", content: "C", authorId: "1") { id } }';
    expect(await (await post('/graphql', { query: mutation })).json()).to.have.nested.property(
      'data.createPost.id',
    );
    await until('the event is received', async () => {
      return (await sample('events_received_total{topic="POST_ADDED"}')) === 1;
    });
    await until(
      'the post is delivered',
      async () => (await sample('event_delivery_lag_seconds_count')) === 1,
    );
    expect(await sample('events_published_total{topic="POST_ADDED",outcome="ok"}')).to.equal(1);
    // Prometheus would not see the first failure if its series began with it.
    expect(await sample('events_published_total{topic="POST_ADDED",outcome="failed"}')).to.equal(0);
    expect(await sample('event_delivery_lag_seconds_sum')).to.be.within(0, 60);
    await stream.body?.cancel();
    await until('the stream is closed', async () => (await sample('post_subscribers')) === 0);
    expect(await sample('graphql_streams{transport="sse"}')).to.equal(0);
  });

  it('declares every metric of the table', async () => {
    const all = await text();
    for (const { name, kind } of Object.values(metricsTable))
      expect(all).to.include(`# TYPE ${name} ${kind}\n`);
  });

  itWithPromtool('has no fault that promtool finds', async () => {
    expect(promtool(['check', 'metrics'], await text())).to.equal('');
  });
});

describe('slow statements', () => {
  it('are logged with their text and without their values, each once, and all are counted', async () => {
    const url = await (await sharedPostgres()).createDatabase();
    const service = await startWatched({ DATABASE_URL: url, SLOW_STATEMENT_MS: '100' });
    const other = new pg.Client(url);
    try {
      await other.connect();
      for (const email of ['secret1@example.com', 'secret2@example.com']) {
        // The write waits for the lock.
        await other.query('begin; lock table users');
        const created = fetch(`${service.url}/api/users`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ name: 'Secret', email }),
        });
        // Twice the time from which a statement counts as slow.
        await setTimeout(200);
        await other.query('rollback');
        expect((await created).status).to.equal(201);
      }
      const [line, ...others] = service.lines.filter(({ sql }) =>
        String(sql).includes('insert into "users"'),
      );
      expect(others).to.deep.equal([]);
      expect(line).to.include({ level: 40, msg: 'a statement of the database was slow' });
      expect(line?.['durationMs']).to.be.at.least(100);
      expect(JSON.stringify(service.lines)).not.to.match(/secret/i);
      const text = await (await fetch(`${service.url}/metrics`)).text();
      expect(Number(/^database_slow_statements_total (\d+)$/m.exec(text)?.[1])).to.be.at.least(2);
    } finally {
      await other.end();
      await service.stop();
    }
  });
});

describe('Metrics before the first request', () => {
  it('have a counter at zero before it counts, so that its first step is seen', async () => {
    const metrics = new Metrics();
    metrics.measure('limiterRefusals', 'sign-in');
    expect((await metrics.render()).text).to.include('limiter_refusals_total{kind="sign-in"} 0');
  });

  it('keep what is measured, and count it once', async () => {
    const metrics = new Metrics();
    const expired = metrics.measure('expired', 'refresh_tokens');
    expired(2);
    expired();
    expect((await metrics.render()).text).to.include(
      'expired_records_deleted_total{kind="refresh_tokens"} 3',
    );
    expired(4);
    expect((await metrics.render()).text).to.include(
      'expired_records_deleted_total{kind="refresh_tokens"} 7',
    );
  });
});
