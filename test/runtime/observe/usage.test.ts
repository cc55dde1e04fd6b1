/** What an observer counts of the use of a contract: on each host, behind parsers, of streams and in bounded memory. */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { UsageTable } from '../../../src/runtime/observe/usage.js';
import { Readable } from 'node:stream';
import { memoryRequest } from '@concordat/runtime';
import type { ObserveOptions, Usage } from '../../../src/runtime/observe/index.js';
import { listenTo } from '../transports/listeners.js';
import { type Host, hosts, shop } from './hosts.js';
import { observedOrders } from '../../tools/usage/order-server.js';
import { rawAnswer, rawRequest, shopObserver } from './shop-contract.js';

const json = { 'content-type': 'application/json' };

const requests = [
  rawRequest('GET /things/1?limit=7&extra=1', { 'x-trace': 'a' }),
  rawRequest('GET /things/77'),
  rawRequest('POST /things', json, '{"name":"Lamp","extra":1}'),
  rawRequest('POST /things', json, ['{"na', 'me":5}']),
  rawRequest('GET /events'),
  rawRequest('POST /events/import', { 'content-type': 'application/x-ndjson' }, '{"n":1}\n{"n":2}\n'),
  rawRequest('GET /old/7'),
];

describe('observe: usage', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'concordat-usage-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function counts(
    host: Host,
    options: Partial<ObserveOptions> = {},
    isBehind = false,
  ): Promise<Readonly<Record<string, number>>> {
    const observer = await shopObserver({ usage: {}, ...options });
    const served = await listenTo(await host(shop, observer, isBehind));
    for (const request of requests) await rawAnswer(served.url, request);
    await observer.settled();
    await served.close();
    const { parts } = JSON.parse(await readFile(await observer.writeUsage(folder), 'utf8')) as {
      readonly parts: Readonly<Record<string, { readonly unnamed: number }>>;
    };
    return Object.fromEntries(Object.entries(parts).map(([name, { unnamed }]) => [name, unnamed]));
  }

  const expected = {
    'GET /events': 1,
    'GET /events 200': 1,
    'GET /events 200 application/x-ndjson': 1,
    'GET /events 200 application/x-ndjson /n': 1,
    'GET /things/{id}': 2,
    'GET /things/{id} 200': 2,
    'GET /things/{id} 200 application/json': 2,
    'GET /things/{id} 200 application/json /name': 2,
    'GET /things/{id} 200 application/json /notes': 1,
    'GET /things/{id} 200 application/json /notes/*/text': 1,
    'GET /things/{id} header X-Trace': 1,
    'GET /things/{id} path id': 2,
    'GET /things/{id} query limit': 1,
    'POST /events/import': 1,
    'POST /events/import 204': 1,
    'POST /events/import request application/x-ndjson': 1,
    'POST /things': 2,
    'POST /things 201': 2,
    'POST /things 201 application/json': 2,
    'POST /things 201 application/json /name': 2,
    'POST /things request application/json': 2,
    'POST /things request application/json /name': 2,
  };

  for (const [name, host] of Object.entries(hosts)) {
    it(`is the same on ${name}`, async () => {
      expect(await counts(host)).to.deep.include(expected);
    });
  }

  it('is counted of the items of a body that the server reads', async () => {
    expect(await counts(hosts.Fastify)).to.include({
      'POST /events/import request application/x-ndjson /n': 1,
    });
  });

  it('is counted behind a parser, and of requests that are enforced', async () => {
    const found = await counts(hosts.Koa, { mode: 'enforce' }, true);
    expect(found).to.deep.include({
      'POST /things request application/json /name': 2,
      'GET /things/{id} query limit': 1,
    });
  });

  it('is not counted in bodies that are nested too deeply to be read in a short time', async () => {
    const { observer } = await observedOrders();
    const depth = 2000;
    const text = `${'{"title":"a","parts":['.repeat(depth)}${']}'.repeat(depth)}`;
    const headers = { 'content-type': 'application/json', 'content-length': String(text.length) };
    const exchange = observer.open('POST', '/orders', Object.entries(headers));
    for (const body of [exchange?.request, exchange?.response]) body?.add(text);
    exchange?.end(201, Object.entries(headers));
    await observer.settled();
    const { parts } = JSON.parse(await readFile(await observer.writeUsage(folder), 'utf8')) as {
      parts: object;
    };
    expect(Object.keys(parts)).to.include.members([
      'POST /orders request application/json /parts',
      'POST /orders 201',
    ]);
  });

  it('is counted around an engine that streams, also when its reader stops', async () => {
    const observer = await shopObserver({ usage: {} });
    const headers = { 'Content-Type': 'application/x-ndjson' };
    const engine = observer.around(() => ({
      status: 200,
      headers,
      body: Readable.from([Buffer.from('{"n":1}\n{"n"'), Buffer.from(':2}\n')]),
    }));
    for (const isWhole of [true, false]) {
      const { body } = await engine(memoryRequest({ path: '/events' }));
      for await (const piece of body as AsyncIterable<Uint8Array>) if (!isWhole && piece.length > 0) break;
    }
    await observer.settled();
    expect(observer.deviations()).to.deep.equal([]);
    const { parts } = JSON.parse(await readFile(await observer.writeUsage(folder), 'utf8')) as Usage;
    expect(parts['GET /events 200 application/x-ndjson /n']).to.deep.equal({ unnamed: 2 });
  });

  it('multiplies the counts of a sample, and says which it was', () => {
    const table = new UsageTable({ client: 'x-client' }, 0.25);
    for (const client of ['a', 'b', 'b']) table.note(['GET /a'], { headers: { 'x-client': client } }, false);
    const { rate, parts } = table.usage();
    expect({ rate, parts }).to.deep.equal({
      rate: 0.25,
      parts: { 'GET /a': { a: 4, b: 8 } },
    });
  });

  it('is bounded in parts and in clients, and counts what it leaves out', () => {
    const table = new UsageTable({ client: 'x-client' }, 1);
    for (let client = 0; client < 60; client += 1)
      table.note(['GET /a'], { headers: { 'x-client': `app/${String(client)}` } }, true);
    table.note(
      Array.from({ length: 20_005 }, (_, part) => String(part)),
      { headers: {} },
      false,
    );
    const { parts, dropped, unread } = table.usage();
    expect(parts['GET /a']).to.include({ other: 10, 'app/49': 1 });
    expect({ kept: Object.keys(parts).length, dropped, unread }).to.deep.equal({
      kept: 20_000,
      dropped: 6,
      unread: 60,
    });
  });
});
