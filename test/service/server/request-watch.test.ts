/** Request ids, and the line that each request leaves in the log. */

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { connect, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { expect } from 'chai';
import { ServiceError } from '../../../src/core/model/error.js';
import { operator } from '../../../src/core/services/rights/caller.js';
import { until } from '../../support/until.js';
import { exchange, readAnswer, requestText } from '../../support/wire.js';
import { type LogLine, useWatched } from './watched-service.js';

describe('the request id', () => {
  const service = useWatched();

  async function idFor(given?: string): Promise<string | null> {
    const headers = given === undefined ? {} : { 'X-Request-Id': given };
    return (await fetch(`${service().url}/api/users`, { headers })).headers.get('X-Request-Id');
  }

  it('is the one that the client sent', async () => {
    for (const id of [
      'a',
      '0af7651916cd43dd8448eb211c80319c',
      'Root=1-67891233/a:b@c~d+e_f.g',
      'x'.repeat(128),
    ]) {
      expect(await idFor(id)).to.equal(id);
    }
  });

  it('is made where none was sent, or one that is not fit for a log', async () => {
    const made = /^[0-9a-f]{12}-[0-9a-z]+$/;
    for (const id of [undefined, '', 'x'.repeat(129), 'a b', '"}', 'ü', '<script>', 'a,b']) {
      expect(await idFor(id), id).to.match(made);
    }
  });

  it('is never made twice', async () => {
    const ids = await Promise.all(Array.from({ length: 50 }, () => idFor()));
    expect(new Set(ids).size).to.equal(50);
  });
});

interface SentRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

describe('the line of a request', () => {
  const service = useWatched();

  async function lineOf(id: string): Promise<LogLine> {
    const find = (): LogLine | undefined => service().lines.find((line) => line['requestId'] === id);
    await until(`${id} is logged`, () => find() !== undefined);
    return find() ?? {};
  }

  it('has no secret of a link in its path', async () => {
    await fetch(`${service().url}/reset/hunter`, { headers: { 'X-Request-Id': 'a-link' } });
    expect((await lineOf('a-link'))['path']).to.equal('/reset/…');
  });

  async function send(id: string, path: string, init: SentRequest = {}): Promise<LogLine> {
    const headers = { ...init.headers, 'X-Request-Id': id };
    await (await fetch(service().url + path, { ...init, headers })).arrayBuffer();
    return lineOf(id);
  }

  it('says what was asked, by whom, and what came of it', async () => {
    const line = await send('whole', '/api/users/1');
    expect(line).to.include({
      level: 30,
      requestId: 'whole',
      method: 'GET',
      path: '/api/users/1',
      status: 404,
      operation: 'getUser',
      address: '127.0.0.1',
      msg: 'request',
      pid: process.pid,
      hostname: hostname(),
    });
    expect(line['durationMs']).to.be.a('number').within(0, 10_000);
    expect(new Date(String(line['time'])).getTime()).to.be.closeTo(Date.now(), 60_000);
    expect(Object.keys(line).sort()).to.deep.equal([
      'address',
      'durationMs',
      'hostname',
      'level',
      'method',
      'msg',
      'operation',
      'path',
      'pid',
      'requestId',
      'status',
      'time',
    ]);
  });

  it('names the caller and the trace, over REST and GraphQL', async () => {
    const { services, url } = service();
    const { id } = await services.users.create(operator, {
      name: 'Ada',
      email: 'ada@example.com',
      password: 'correct horse',
    });
    const json = { 'Content-Type': 'application/json' };
    const credentials = JSON.stringify({ email: 'ada@example.com', password: 'correct horse' });
    const login = await fetch(`${url}/api/auth/login`, { method: 'POST', headers: json, body: credentials });
    const { accessToken } = (await login.json()) as { readonly accessToken: string };
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const headers = {
      Authorization: `Bearer ${accessToken}`,
      traceparent: `00-${traceId}-b7ad6b7169203331-01`,
    };
    const callerId = `user:${id}`;
    expect(await send('rest', '/api/profile', { headers })).to.include({ callerId, traceId });
    const query = JSON.stringify({ query: '{ me { id } }' });
    const graphql = { method: 'POST', headers: { ...headers, ...json }, body: query };
    expect(await send('graphql', '/graphql', graphql)).to.include({ callerId, traceId });
    const { key } = await services.apiKeys.create(operator, { name: 'reports' });
    const byKey = await send('key', '/api/keys/current', {
      headers: { 'X-API-Key': key, traceparent: '00-x' },
    });
    expect(byKey).to.include({ callerId: 'api-key:1' }).and.not.to.have.property('traceId');
  });

  it('names the operation of a GraphQL request', async () => {
    const post = (id: string, body: unknown): Promise<LogLine> =>
      send(id, '/graphql', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
    expect(await post('named', { query: 'query Everybody { users { id } }' })).to.include({
      operation: 'Everybody',
      path: '/graphql',
    });
    expect(await post('nameless', { query: '{ users { id } }' })).to.include({ operation: 'graphql' });
    expect(await post('broken', { query: '{ users { id ' })).to.include({ operation: 'graphql' });
  });

  it('is there for what the contract does not have', async () => {
    expect(await send('nowhere', '/nowhere')).to.include({
      path: '/nowhere',
      status: 404,
      operation: 'unknown',
    });
  });

  it('has no secret in it, wherever it was sent', async () => {
    const secret = 'hunter2hunter2';
    const json = { 'Content-Type': 'application/json' };
    await send('s1', `/auth/success?token=${secret}&x=1`);
    await send('s2', `/api/users?api_key=${secret}`, { headers: { 'X-API-Key': secret } });
    await send('s3', '/api/profile', {
      headers: { Authorization: `Bearer ${secret}`, Cookie: `a=${secret}` },
    });
    const body = JSON.stringify({ email: 'a@example.com', password: secret });
    await send('s4', '/api/auth/login', { method: 'POST', headers: json, body });
    await send('s5', '/graphql', {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ query: `"${secret}"` }),
    });
    await send('s6', `/graphql?query={users{id}}&variables={"token":"${secret}"}`);
    expect(JSON.stringify(service().lines)).not.to.include(secret);
  });

  it('is one line, whatever stands in the path', async () => {
    const line = await send('hostile', '/api/users/%0A%22%7D');
    expect(line['path']).to.equal('/api/users/%0A%22%7D');
    expect((await send('long', `/${'x'.repeat(5000)}`))['path']).to.have.length(1000);
    const named = await send('long-name', '/graphql', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: `query ${'n'.repeat(5000)} { users { id } }` }),
    });
    expect(named['operation']).to.equal('n'.repeat(100));
  });

  /** Sends bytes and leaves once the service answers them, before the answer begins. @returns the line of the request */
  async function leaveWith(
    id: string,
    head: readonly string[],
    { body = '', leave = 'resetAndDestroy' }: { body?: string; leave?: 'resetAndDestroy' | 'destroy' } = {},
  ): Promise<LogLine> {
    const { hostname, port } = new URL(service().url);
    const socket = connect(Number(port), hostname);
    socket.write(`${[...head, 'Host: localhost', `X-Request-Id: ${id}`].join('\r\n')}\r\n\r\n${body}`);
    await until('the request is under way', async () => {
      const metrics = await (await fetch(`${service().url}/metrics`)).text();
      // This one and the one that waits.
      return metrics.includes('http_requests_in_flight 2');
    });
    socket[leave]();
    return lineOf(id);
  }
  const left = { aborted: true, status: 499, address: '127.0.0.1' };

  it('says when the client did not wait for the answer', async () => {
    const json = ['Content-Type: application/json', 'Content-Length: 100'];
    const [rest, graphql] = ['POST /api/users HTTP/1.1', 'POST /graphql HTTP/1.1'].map((line) => [
      line,
      ...json,
    ]);
    const body = '{';
    expect(await leaveWith('gone', rest ?? [], { body })).to.include({ ...left, operation: 'createUser' });
    expect(await leaveWith('gone-too', graphql ?? [], { body })).to.include({
      ...left,
      operation: 'graphql',
    });
    // It closes its side only, as far as the service can see, so it is answered.
    const closed = await leaveWith('closed', rest ?? [], { body, leave: 'destroy' });
    expect(closed).to.include({ ...left, status: 400, operation: 'createUser' });
    const metrics = await (await fetch(`${service().url}/metrics`)).text();
    expect(metrics).to.match(/http_request_duration_seconds_count\{operation="createUser",status="499"\} 1/);
  });

  it('says when the client of an event stream left before it was open', async () => {
    const { authentication } = service().services;
    const callerOfToken = authentication.callerOfToken.bind(authentication);
    authentication.callerOfToken = () => new Promise<never>(() => undefined);
    const query = encodeURIComponent('subscription { postAdded { id } }');
    const head = [`GET /graphql?query=${query} HTTP/1.1`, 'Accept: text/event-stream', 'Authorization: x'];
    expect(await leaveWith('early', head)).to.include({ ...left, operation: 'graphql' });
    authentication.callerOfToken = callerOfToken;
  });

  it('of an event stream that was open has the status that was sent', async () => {
    const controller = new AbortController();
    const query = encodeURIComponent('subscription Watch { postAdded { id } }');
    const headers = { Accept: 'text/event-stream', 'X-Request-Id': 'open' };
    await fetch(`${service().url}/graphql?query=${query}`, { headers, signal: controller.signal });
    controller.abort();
    expect(await lineOf('open')).to.include({ ...left, status: 200, operation: 'Watch' });
  });

  it('of a request whose body stops arriving has the 408 that was sent, over REST and GraphQL', async () => {
    // The connections of this test wait a tenth of a second in place of 45 seconds.
    const hurry = (message: unknown): void => {
      (message as { readonly socket: Socket }).socket.setTimeout(100);
    };
    subscribe('http.server.request.start', hurry);
    const started = (path: string, id: string): string =>
      requestText(path, {
        method: 'POST',
        headers: ['Content-Type: application/json', 'Content-Length: 20', `X-Request-Id: ${id}`],
      });
    const rest = readAnswer(await exchange(service().url, `${started('/api/users', 'late-rest')}{`));
    const graphql = readAnswer(await exchange(service().url, `${started('/graphql', 'late-graphql')}{`));
    unsubscribe('http.server.request.start', hurry);
    const message = 'The request did not arrive in time';
    expect(rest).to.deep.include({ status: 408, body: { error: message } });
    expect(graphql).to.include({ status: 408 });
    expect(JSON.stringify(graphql.body)).to.include(`{"errors":[{"message":"${message}"`);
    const logged = { status: 408, address: '127.0.0.1' };
    expect(await lineOf('late-rest')).to.include({ ...logged, operation: 'createUser' });
    expect(await lineOf('late-graphql')).to.include({ ...logged, operation: 'graphql' });
  });

  it('is not written for probes, unless somebody debugs', async () => {
    await fetch(`${service().url}/healthz`, { headers: { 'X-Request-Id': 'probe' } });
    await send('after', '/nowhere');
    expect(service().lines.some((line) => line['requestId'] === 'probe')).to.equal(false);
  });
});

describe('a masked error', () => {
  const service = useWatched({ LOG_LEVEL: 'error' });

  it('is logged in full under the id of its request, and told to nobody else', async () => {
    service().services.users.get = () => Promise.reject(new Error('the disk is on fire'));
    const answer = await fetch(`${service().url}/api/users/1`, { headers: { 'X-Request-Id': 'masked' } });
    expect(answer.status).to.equal(500);
    expect(await answer.text()).to.equal('{"error":"Internal server error"}');
    expect(service().lines).to.have.length(1);
    expect(service().lines[0]).to.include({ level: 50, requestId: 'masked', path: '/api/users/1' });
    expect(service().lines[0]?.['err']).to.include({ message: 'the disk is on fire', type: 'Error' });
  });

  it('of an outage is logged with its cause, over REST and GraphQL, though clients see a sentence', async () => {
    const gone = (host: string): Promise<never> => {
      const cause = Object.assign(new Error('it broke'), { host, port: 5432 });
      return Promise.reject(new ServiceError('unavailable', 'Try again later', { cause }));
    };
    const { services, url } = service();
    services.users.get = () => gone('10.0.0.5');
    services.posts.listAll = () => gone('10.0.0.6');
    const answer = await fetch(`${url}/api/users/1`, { headers: { 'X-Request-Id': 'rest' } });
    expect([answer.status, await answer.text()]).to.deep.equal([503, '{"error":"Try again later"}']);
    const result = await fetch(`${url}/graphql?query=query Lost{posts{id}}`, {
      headers: { 'X-Request-Id': 'graphql' },
    });
    expect(await result.text())
      .to.include('SERVICE_UNAVAILABLE')
      .and.not.include('10.0.0.6');
    const fault = { level: 50, cause: 'it broke', port: 5432 };
    expect(service().lines.slice(1)).to.have.length(2);
    expect(service().lines[1]).to.include({
      ...fault,
      host: '10.0.0.5',
      operation: 'getUser',
      requestId: 'rest',
    });
    expect(service().lines[2]).to.include({
      ...fault,
      host: '10.0.0.6',
      operation: 'Lost',
      requestId: 'graphql',
    });
  });
});
