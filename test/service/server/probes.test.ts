/** `/healthz`, `/readyz` and `/metrics`: what operators ask. */

import { expect } from 'chai';
import { Metrics } from '../../../src/service/watch/metrics.js';
import { useWatched } from './watched-service.js';

describe('/healthz and /readyz', () => {
  const service = useWatched();

  it('say that all is well', async () => {
    for (const [path, body] of [
      ['/healthz', '{"status":"up"}'],
      ['/readyz', '{"status":"ready","dependencies":{"database":"up","event broker":"up"}}'],
    ] as const) {
      const answer = await fetch(service().url + path);
      expect(answer.status).to.equal(200);
      expect(answer.headers.get('Cache-Control')).to.equal('no-store');
      expect(await answer.text()).to.equal(body);
    }
  });

  it('take GET, HEAD and OPTIONS, and refuse the rest in the shape of the document', async () => {
    const ask = (method: string): Promise<Response> => fetch(`${service().url}/readyz`, { method });
    expect((await ask('HEAD')).status).to.equal(200);
    expect((await ask('OPTIONS')).status).to.equal(204);
    const refused = await ask('POST');
    expect(refused.status).to.equal(405);
    expect(refused.headers.get('Allow')).to.equal('GET, HEAD, OPTIONS');
    expect(await refused.json()).to.deep.equal({ error: 'Method not allowed' });
  });
});

describe('/metrics', () => {
  const service = useWatched();

  async function metrics(): Promise<string> {
    const answer = await fetch(`${service().url}/metrics`);
    expect(answer.headers.get('Content-Type')).to.equal('text/plain; version=0.0.4; charset=utf-8');
    return answer.text();
  }

  it('counts requests by operationId and status, with the time they took', async () => {
    for (const path of ['/api/users/1', '/api/users/2', '/api/users']) await fetch(service().url + path);
    const text = await metrics();
    expect(text).to.include('http_request_duration_seconds_count{operation="getUser",status="404"} 2');
    expect(text).to.include('http_request_duration_seconds_count{operation="listUsers",status="200"} 1');
    expect(text).to.match(
      /http_request_duration_seconds_bucket\{le="10",operation="getUser",status="404"\} 2/,
    );
    expect(text).to.include('http_requests_in_flight 1');
  });

  it('counts paths that nobody knows as one', async () => {
    for (let index = 0; index < 20; index += 1) await fetch(`${service().url}/nowhere/${String(index)}`);
    const text = await metrics();
    expect(text).to.include('http_request_duration_seconds_count{operation="unknown",status="404"} 20');
    expect(text).not.to.include('nowhere');
  });

  it('counts GraphQL operations by name, and by whether they had errors', async () => {
    for (const query of [
      'query Everybody { users { id } }',
      'query Everybody { users { id } }',
      'query Nobody { me { id } }',
      '{ users { id } }',
    ]) {
      await fetch(`${service().url}/graphql?query=${encodeURIComponent(query)}`);
    }
    const counted = (await metrics())
      .split('\n')
      .filter((line) => line.startsWith('graphql_operation_duration_seconds_count'));
    expect(counted).to.deep.equal([
      'graphql_operation_duration_seconds_count{operation="Everybody",type="query",outcome="ok"} 2',
      'graphql_operation_duration_seconds_count{operation="Nobody",type="query",outcome="errors"} 1',
      'graphql_operation_duration_seconds_count{operation="anonymous",type="query",outcome="ok"} 1',
    ]);
  });

  it('counts no name that is longer than a name', async () => {
    const long = 'n'.repeat(10_000);
    const body = JSON.stringify({ query: `query ${long} { users { id } }` });
    const headers = { 'Content-Type': 'application/json' };
    expect((await fetch(`${service().url}/graphql`, { method: 'POST', headers, body })).status).to.equal(200);
    const text = await metrics();
    expect(text).to.include('_count{operation="other",type="query",outcome="ok"} 1');
    expect(text).not.to.include('nnnn');
  });

  it('has the usual metrics of the process', async () => {
    const text = await metrics();
    for (const name of [
      'process_cpu_seconds_total',
      'nodejs_eventloop_lag_seconds',
      'nodejs_heap_size_used_bytes',
    ]) {
      expect(text).to.match(new RegExp(`^${name} [\\d.e+-]+$`, 'm'));
    }
  });
});

describe('Metrics', () => {
  it('keeps a bounded number of the names that clients make up', async () => {
    const metrics = new Metrics();
    for (let index = 0; index < 500; index += 1)
      metrics.graphqlEnded(`Name${String(index)}`, 'query', false, 0.1);
    metrics.graphqlEnded('Name7', 'query', false, 0.1);
    const { text } = await metrics.render();
    const counts = text
      .split('\n')
      .filter((line) => line.startsWith('graphql_operation_duration_seconds_count'));
    expect(counts).to.have.length(101);
    expect(text).to.match(/_count\{operation="other",type="query",outcome="ok"\} 400/);
    expect(text).to.match(/_count\{operation="Name7",type="query",outcome="ok"\} 2/);
  });
});

describe('/metrics behind a proxy', () => {
  const service = useWatched({ TRUST_PROXY: '1', STOP_TIMEOUT: '10' });

  it('is for those who ask the process itself', async () => {
    const ask = (headers: Record<string, string>) =>
      fetch(`${service().url}/metrics`, { headers: { ...headers, connection: 'close' } });
    expect((await ask({})).status).to.equal(200);
    const passedOn = await ask({ 'X-Forwarded-For': '192.0.2.1' });
    expect(passedOn.status).to.equal(404);
    expect(await passedOn.json()).to.deep.equal({ error: 'Not found' });
  });
});
