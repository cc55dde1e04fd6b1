/** The deviations that an observer finds on each host, what it reports of them, and what it leaves out. */

import { Agent, request as send } from 'node:http';
import { connect } from 'node:net';
import { expect } from 'chai';
import express from 'express';
import type { Deviation, ObserveOptions, Observer } from '../../../src/runtime/observe/index.js';
import { DeviationTable } from '../../../src/runtime/observe/deviations.js';
import { Observation } from '../../../src/runtime/observe/observation.js';
import { listenTo } from '../transports/listeners.js';
import { type App, type Host, hosts, shop } from './hosts.js';
import { rawAnswer, rawRequest, shopContract, shopObserver } from './shop-contract.js';

const json = { 'content-type': 'application/json' };

/** Sends requests to an observed application, one after the other. */
async function observed(
  requests: readonly string[],
  options: Partial<ObserveOptions> = {},
  host: Host = hosts.Koa,
  app: App = shop,
): Promise<{
  readonly observer: Observer;
  readonly answers: readonly string[];
  readonly ids: readonly string[];
}> {
  const observer = await shopObserver(options);
  const served = await listenTo(await host(app, observer));
  const { url } = served;
  const answers: string[] = [];
  for (const request of requests) answers.push(await rawAnswer(url, request));
  await observer.settled();
  await served.close();
  return { observer, answers, ids: observer.deviations().map(({ id }) => id) };
}

describe('observe: deviations', () => {
  for (const [name, host] of Object.entries(hosts)) {
    it(`of every kind are found on ${name}`, async () => {
      const requests = [
        rawRequest('GET /things/1?limit=11', { 'x-trace': 'too long' }),
        rawRequest('GET /things/x'),
        rawRequest('GET /things/99'),
        rawRequest('GET /things/500'),
        rawRequest('GET /events'),
        rawRequest('GET /old/7'),
        rawRequest('POST /things', json, '{"nam":"Lamp","email":"x"}'),
        rawRequest('POST /things', json, ['{"na', 'me":5}']),
      ];
      const { ids, observer } = await observed(requests, {}, host);
      expect(ids.filter((id) => !id.startsWith('getThing response 500'))).to.deep.equal([
        'GET /old/{} response 200 status undeclared-route',
        'addThing request body/<undeclared member> additionalProperties',
        'addThing request body/email format',
        'addThing request body/name required',
        'addThing request body/name type',
        'addThing response 201 body/<undeclared member> additionalProperties',
        'addThing response 201 body/email format',
        'addThing response 201 body/name required',
        'addThing response 201 body/name type',
        'getThing request headers/X-Trace maxLength',
        'getThing request path/id type',
        'getThing request query/limit maximum',
        'getThing response 200 body/<undeclared member> additionalProperties',
        'getThing response 200 body/email format',
        'getThing response 200 body/name minLength',
        'getThing response 200 body/notes/*/text type',
        'getThing response 200 body/password minLength',
        'getThing response 200 headers/X-Version missing-header',
        'listEvents response 200 body/*/n type',
      ]);
      expect(ids).to.include('getThing response 500 status undeclared-status');
      expect(observer.counters).to.include({ checked: 8, unread: 0, skipped: 0 });
    });
  }

  it('of compressed bodies are found', async () => {
    for (const host of [hosts.Koa, hosts.Hono]) {
      const { ids } = await observed([rawRequest('GET /things/77')], {}, host);
      expect(ids).to.deep.equal(['getThing response 200 body/name type']);
    }
  });

  it('are counted, with one sentence and one example', async () => {
    const times: Deviation[] = [];
    const request = rawRequest('GET /things/1?limit=11');
    const { observer } = await observed([request, request], {
      onDeviation: (each) => times.push({ ...each }),
    });
    expect(observer.deviations()).to.deep.equal([
      {
        id: 'getThing request query/limit maximum',
        operation: 'getThing',
        side: 'request',
        place: 'query/limit',
        kind: 'maximum',
        detail: 'query/limit must be <= 10',
        count: 2,
        example: 11,
      },
    ]);
    expect(times.map(({ count }) => count)).to.deep.equal([1, 2]);
    expect(observer.counters.deviations).to.equal(2);
  });

  it('are none if the server refuses what the contract refuses, for 304, and for unknown paths that are not served', async () => {
    const { ids } = await observed([
      rawRequest('GET /things/404?limit=11'),
      rawRequest('GET /things/304', { 'if-none-match': '"1"' }),
      rawRequest('GET /nothing'),
      rawRequest('PUT /things', json, '{}'),
      rawRequest('HEAD /things/1'),
      rawRequest('GET /things/88'),
      rawRequest('GET /things/1?unknown=1'),
    ]);
    expect(ids).to.deep.equal([]);
  });

  it('of items in requests are found', async () => {
    const lines = { 'content-type': 'application/x-ndjson' };
    const { ids } = await observed(
      [rawRequest('POST /events/import', lines, '{"n":1}\n{"n":"2"}\n')],
      {},
      hosts.Fastify,
    );
    expect(ids).to.deep.equal(['importEvents request body malformed-body']);
  });

  for (const [name, host] of Object.entries(hosts)) {
    it(`are successes without a credential that the contract requires, on ${name}`, async () => {
      const { contract } = await shopContract;
      const { importEvents, getThing } = contract.operations;
      const own = {
        ...contract,
        operations: {
          ...contract.operations,
          importEvents: { ...importEvents, security: [{ token: [] }, { session: [], certificate: [] }] },
          getThing: { ...getThing, security: [{ token: [] }, {}] },
        },
        securitySchemes: {
          token: { type: 'http', scheme: 'bearer' },
          session: { type: 'apiKey', in: 'cookie', name: 'sid' },
          certificate: { type: 'mutualTLS' },
        },
      } as unknown as ObserveOptions['contract'];
      const lines = { 'content-type': 'application/x-ndjson' };
      const send = (headers: Readonly<Record<string, string>>): string =>
        rawRequest('POST /events/import', { ...lines, ...headers }, '{"n":1}\n');
      const found = async (...requests: readonly string[]) =>
        (await observed(requests, { contract: own }, host)).observer.deviations();
      const good = [{ authorization: 'bearer x' }, { cookie: 'a=1; sid=x' }].map(send);
      expect(await found(...good, rawRequest('GET /things/1'))).to.deep.equal([]);
      const bad = [{}, { authorization: 'Basic eDp4' }, { authorization: 'Bearer ' }, { cookie: 'sid=' }];
      expect(await found(...bad.map(send))).to.deep.equal([
        {
          id: 'importEvents response 204 status missing-credential',
          ...{
            operation: 'importEvents',
            side: 'response',
            status: 204,
            place: 'status',
            count: 4,
            example: 204,
          },
          kind: 'missing-credential',
          detail: 'it succeeds without a credential of token, or session and certificate',
        },
      ]);
    });
  }

  it('are not the requests to other paths that are refused, which are counted and listed', async () => {
    for (const host of Object.values(hosts)) {
      const requests = [
        ...[rawRequest('GET /nothing'), rawRequest('GET /nothing'), rawRequest('PUT /things', json, '{}')],
        ...[rawRequest('GET /old/7'), rawRequest('GET /things/1')],
      ];
      const { observer } = await observed(requests, {}, host);
      expect(observer.deviations().map(({ operation }) => operation)).to.deep.equal(['GET /old/{}']);
      const { undeclared, deviations } = observer.counters;
      expect([undeclared, deviations]).to.deep.equal([4, 1]);
      expect(
        observer.undeclared().map(({ operation, status, count }) => [operation, status, count]),
      ).to.deep.equal([
        ['GET /nothing', 404, 2],
        ['GET /old/{}', 200, 1],
        ['PUT /things', 405, 1],
      ]);
    }
  });

  it('below a prefix are found', async () => {
    const app: App = ({ path, ...request }) => shop({ ...request, path: path.replace('/v1', '') });
    const { ids } = await observed(
      [rawRequest('GET /v1/old/7'), rawRequest('GET /old/7')],
      { prefix: '/v1' },
      hosts.Koa,
      app,
    );
    expect(ids).to.deep.equal(['GET /old/{} response 200 status undeclared-route']);
  });
});

describe('observe: secrets', () => {
  const secrets = [
    's3cr3t-token-of-ada',
    'hunter2hunter2',
    'ada@example.com',
    '4111 1111 1111 1111',
    'c00kie-v4lue',
    'correct horse',
  ];

  it('are in no report', async () => {
    const [token = '', password = '', email = '', card = '', cookie = '', phrase = ''] = secrets;
    const app: App = () => ({
      headers: { ...json, 'x-version': token, 'set-cookie': `sid=${phrase.replace(' ', '-')}; Path=/` },
      body: JSON.stringify({
        name: { [email]: 1, echo: token, sid: cookie, card },
        email: card,
        password: 'short',
        [email]: email,
        [card]: 1,
        notes: [{ text: [token, cookie, 4111111111111111] }],
      }),
    });
    const headers = { authorization: `Bearer ${token}`, cookie: `sid=${cookie}`, 'x-trace': token };
    const query = `limit=${encodeURIComponent(email)}`;
    const body = JSON.stringify({ name: [token], password: [password], email: phrase, [token]: password });
    const requests = [
      rawRequest(`GET /things/1?${query}`, headers),
      rawRequest(`GET /things/${token}`, headers),
      rawRequest(`GET /${token}/x`, headers),
      rawRequest('POST /things', { ...headers, ...json }, body),
      rawRequest('POST /things', { ...headers, ...json }, `${token} is not JSON`),
    ];
    const { observer } = await observed(requests, {}, hosts.Express, app);
    const reports = JSON.stringify(observer.deviations());
    expect(observer.deviations().length).to.be.greaterThan(8);
    for (const secret of [...secrets, 'correct-horse', '4111111111111111'])
      expect(reports).not.to.contain(secret);
    expect(reports).to.match(/x{4}/);
  });

  it('are not in the reason of a body that is not JSON', async () => {
    const app: App = () => ({ headers: { ...json, 'x-version': '1' }, body: 'hunter2' });
    const { observer } = await observed([rawRequest('GET /things/1')], {}, hosts.Koa, app);
    const [deviation] = observer.deviations();
    expect(deviation).to.include({ kind: 'malformed-body', detail: 'the body is not application/json' });
    expect(JSON.stringify(deviation)).not.to.contain('hunter2');
  });
});

describe('observe: bounds', () => {
  const large = (name: unknown): string => JSON.stringify({ name, notes: 'x'.repeat(5000) });

  for (const [name, host] of Object.entries(hosts)) {
    it(`bodies beyond the limit are counted, and not read, on ${name}`, async () => {
      const app: App = () => ({ status: 201, headers: json, body: large(5) });
      const { ids, observer } = await observed(
        [rawRequest('POST /things', json, large(5))],
        { bodyLimit: 1000 },
        host,
        app,
      );
      expect(ids).to.deep.equal([]);
      expect(observer.counters).to.include({ checked: 1, unread: 2 });
    });

    it(`the beginning of a stream is checked on ${name}`, async () => {
      const lines = ['{"n":"1"}\n', ...Array.from({ length: 500 }, () => '{"n":1,"text":"12345678"}\n')];
      const app: App = () => ({ headers: { 'content-type': 'application/x-ndjson' }, body: lines });
      const { ids, answers } = await observed([rawRequest('GET /events')], { bodyLimit: 1000 }, host, app);
      expect(ids).to.deep.equal(['listEvents response 200 body/*/n type']);
      expect(answers[0]?.split('{"n":1,').length).to.equal(501);
    });
  }

  it('names that clients choose are no deviations of their own', async () => {
    const requests = Array.from({ length: 30 }, (_, index) =>
      rawRequest('POST /things', json, `{"name":"a","${String(index).padStart(8, '7')}":1}`),
    );
    const { ids } = await observed(requests);
    expect(ids).to.deep.equal([
      'addThing request body/<undeclared member> additionalProperties',
      'addThing response 201 body/<undeclared member> additionalProperties',
    ]);
  });
});

describe('observe: a client cannot hide deviations', () => {
  const context = (operation: string) => ({
    operation,
    side: 'request' as const,
    whole: {},
    isKnown: (text: string) => text === 'name' || text === 'tags',
    isSecret: () => false,
  });
  const later = { place: '/body/name', kind: 'type', detail: 'body/name must be string' };

  it('with names of its own, at any depth', () => {
    const table = new DeviationTable();
    for (let number = 0; number < 2_100; number += 1) {
      const name = `n${String(number)}`;
      const detail = `body must NOT have additional properties: ${name}`;
      table.add({ place: `/body/${name}`, kind: 'additionalProperties', detail }, context('add'));
      table.add(
        { place: `/body/tags/${name}/x`, kind: 'type', detail: `body/tags/${name}/x must be string` },
        context('add'),
      );
    }
    table.add(later, context('add'));
    expect(table.list().map(({ id, count, detail }) => [id, count, detail])).to.deep.equal([
      [
        'add request body/<undeclared member> additionalProperties',
        2_100,
        'body must NOT have additional properties',
      ],
      ['add request body/name type', 1, 'body/name must be string'],
      ['add request body/tags/*/* type', 2_100, 'body/tags/*/* must be string'],
    ]);
    expect(table.dropped).to.equal(0);
  });

  it('with paths of its own: of those, the oldest are dropped and counted, and what is frequent stays', () => {
    const table = new DeviationTable();
    const route = (number: number) =>
      table.add(
        { place: '/status', kind: 'undeclared-route', detail: 'not there' },
        context(`GET /r${String(number)}`),
      );
    table.add(later, context('add'));
    for (let times = 0; times < 5; times += 1) route(0);
    for (let number = 1; number < 3_000; number += 1) route(number);
    table.add({ ...later, kind: 'maxLength' }, context('add'));
    const ids = table.list().map(({ id }) => id);
    expect(ids).to.have.length(2_000);
    expect(table.dropped).to.equal(1_002);
    expect(ids).to.include.members([
      'add request body/name type',
      'add request body/name maxLength',
      'GET /r0 request status undeclared-route',
      'GET /r2999 request status undeclared-route',
    ]);
    expect(ids).not.to.include('GET /r1 request status undeclared-route');
  });

  it('and the number of those that were dropped is a counter', async () => {
    const { observer } = await observed([rawRequest('GET /old/7')]);
    expect(observer.counters).to.include({ deviations: 1, dropped: 0 });
  });

  it('and values after the words of links are not in the paths of routes', async () => {
    const app: App = () => ({ headers: json, body: '{}' });
    const requests = [rawRequest('GET /old/reset/hunter'), rawRequest('GET /old/auth/login')];
    const { ids } = await observed(requests, {}, hosts.Koa, app);
    expect(ids).to.deep.equal([
      'GET /old/auth/login response 200 status undeclared-route',
      'GET /old/reset/{} response 200 status undeclared-route',
    ]);
  });
});

/** Posts a thing, and waits for the end of the answer. */
function post(url: string, contents: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { ...json, 'content-length': Buffer.byteLength(contents) };
    const outgoing = send(`${url}/things`, { method: 'POST', headers, agent }, (incoming) =>
      incoming.resume().once('end', resolve),
    );
    outgoing.once('error', reject).end(contents);
  });
}

describe('observe: modes and rates', () => {
  const requests = Array.from({ length: 50 }, () => rawRequest('GET /things/1?limit=11'));

  it('a rate chooses its share of the requests', async () => {
    const observation = new Observation({ ...(await shopContract), rate: 0.1 });
    const begun = Array.from({ length: 10_000 }, () => observation.begin('GET', '/things/1', {}));
    // 1000 are expected; the standard deviation is 30.
    expect(begun.filter((each) => each !== undefined).length).to.be.within(700, 1300);
    expect((await observed(requests, { rate: 0 })).observer.counters.checked).to.equal(0);
  });

  it('an operation that is off is not observed', async () => {
    const sent = [rawRequest('GET /things/1?limit=11'), rawRequest('GET /events')];
    expect((await observed(sent, { modes: { getThing: 'off' } })).ids).to.deep.equal([
      'listEvents response 200 body/*/n type',
    ]);
    expect((await observed(sent, { mode: 'off', modes: { getThing: 'report' } })).ids).to.deep.equal([
      'getThing request query/limit maximum',
    ]);
  });

  it('faulty options are refused at the start', async () => {
    for (const [options, reason] of [
      [{ modes: { getThng: 'off' } }, 'modes has no operations of the contract: getThng'],
      [{ rate: 2 }, 'rate must be from 0 to 1, not 2'],
    ] as const) {
      const error = await shopObserver(options).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect((error as Error).message).to.equal(reason);
    }
  });

  it('the memory of exchanges outside the rate is released', async () => {
    const contents = JSON.stringify({ name: 'a', notes: [{ text: 'x'.repeat(50_000) }] });
    const app: App = () => ({ status: 201, headers: json, body: '{"name":"a"}' });
    const observer = await shopObserver({ modes: { addThing: 'enforce' }, rate: 0.05 });
    const served = await listenTo(await hosts.Koa(app, observer));
    // Together, they are larger than the memory.
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let sent = 0; sent < 500; sent += 1) await post(served.url, contents, agent);
    agent.destroy();
    await observer.settled();
    await served.close();
    // 25 are expected.
    expect(observer.counters.checked).to.be.greaterThan(3);
    expect(observer.counters.unread).to.equal(0);
  });

  it('a request whose client disconnects is not compared', async () => {
    const observer = await shopObserver();
    let finish: (() => void) | undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const server = express().use(observer.express, express.json(), (_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.write('{"name":');
      response.once('close', () => {
        // A handler that does not notice.
        response.write('"a"');
        response.end('}');
        finish?.();
      });
    });
    const served = await listenTo(server);
    const { hostname, port } = new URL(served.url);
    const socket = connect(Number(port), hostname);
    socket.write(rawRequest('POST /things', json, '{"name":"Lamp"}'));
    socket.once('data', () => socket.destroy());
    await finished;
    await observer.settled();
    await served.close();
    expect(observer.deviations()).to.deep.equal([]);
    expect(observer.counters).to.include({ checked: 0, skipped: 1 });
  });

  it('a report that throws does not stop the observer', async () => {
    const fail = (): never => {
      throw new Error('no log');
    };
    const form = { 'content-type': 'application/json' };
    const sent = [...requests.slice(0, 2), rawRequest('POST /things', form, '{"name":5}')];
    const { observer, answers } = await observed(sent, { onDeviation: fail, report: fail });
    expect(answers.map((answer) => answer.slice(9, 12))).to.deep.equal(['200', '200', '201']);
    expect(observer.counters).to.include({ checked: 3, deviations: 4 });
  });

  it('errors of the metric are reported, and do not reach the server', async () => {
    const reported: unknown[] = [];
    const fault = new Error('no metric');
    const { answers } = await observed(requests.slice(0, 2), {
      onDeviation: () => {
        throw fault;
      },
      report: (error) => reported.push(error),
    });
    expect(answers.every((answer) => answer.includes('200 OK'))).to.equal(true);
    expect(reported).to.deep.equal([fault, fault]);
  });
});
