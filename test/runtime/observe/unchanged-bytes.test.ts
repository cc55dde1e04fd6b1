/** Whatever passes an observer, on each host: the client receives the same bytes as without it. */

import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import type { Observer } from '../../../src/runtime/observe/index.js';
import { listenTo } from '../transports/listeners.js';
import { type HostName, hosts, shop } from './hosts.js';
import { rawAnswer, rawRequest, shopObserver } from './shop-contract.js';

const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };

/** By name, the bytes that a client sends. */
const REQUESTS: Readonly<Record<string, string>> = {
  'a small body': rawRequest('GET /things/1?limit=3'),
  'a request that does not fit': rawRequest('GET /things/1?limit=99', { 'x-trace': 'too long' }),
  'an answer that does not fit': rawRequest('GET /things/99'),
  'a body in gzip': rawRequest('GET /things/77'),
  'a chunked body': rawRequest('GET /things/88'),
  'a stream of items': rawRequest('GET /events'),
  HEAD: rawRequest('HEAD /things/1'),
  'HEAD of a stream': rawRequest('HEAD /events'),
  304: rawRequest('GET /things/304', { 'if-none-match': '"1"' }),
  'an error that the host throws': rawRequest('GET /things/500'),
  'a declared 404': rawRequest('GET /things/404'),
  'a route that the contract does not have': rawRequest('GET /old/7'),
  'a method that the path does not have': rawRequest('PUT /things', json, '{}'),
  OPTIONS: rawRequest('OPTIONS /things'),
  'a request body': rawRequest('POST /things', json, '{"name":"Lamp"}'),
  'a chunked request body': rawRequest('POST /things', json, ['{"name":', '"Lamp"}']),
  'a request body that does not fit': rawRequest('POST /things', json, '{"nam":"Lamp"}'),
  'a request body that is not JSON': rawRequest('POST /things', json, '{"nam'),
  'a request body that no parser reads': rawRequest('POST /things', { 'content-type': 'text/csv' }, 'a,b'),
  'a form': rawRequest('POST /things', form, 'name=Lamp&email=x'),
  'an empty body': rawRequest('POST /things', json, ''),
  'a large body': rawRequest('POST /things', json, JSON.stringify({ name: 'x'.repeat(90_000) })),
  'items that are sent': rawRequest(
    'POST /events/import',
    { 'content-type': 'application/x-ndjson' },
    '{"n":1}\n',
  ),
};

describe('observe: the bytes that pass', () => {
  for (const [name, host] of Object.entries(hosts)) {
    it(`on ${name} are the same, byte by byte`, async () => {
      const observer = await shopObserver();
      const bare = await listenTo(await host(shop));
      const observed = await listenTo(await host(shop, observer));
      for (const [about, request] of Object.entries(REQUESTS)) {
        const expected = await rawAnswer(bare.url, request);
        expect(expected, about).to.match(/^HTTP\/1\.1 \d{3} /);
        expect(await rawAnswer(observed.url, request), about).to.equal(expected);
      }
      await observer.settled();
      expect(observer.counters.checked).to.be.at.least(Object.keys(REQUESTS).length - 2);
      expect(observer.counters.deviations).to.be.at.least(10);
      await bare.close();
      await observed.close();
    });
  }

  it('are the same behind a body parser', async () => {
    for (const name of ['Koa', 'Express'] satisfies HostName[]) {
      const observer = await shopObserver();
      const bare = await listenTo(await hosts[name](shop));
      const observed = await listenTo(await hosts[name](shop, observer, true));
      for (const [about, request] of Object.entries(REQUESTS)) {
        expect(await rawAnswer(observed.url, request), about).to.equal(await rawAnswer(bare.url, request));
      }
      await observer.settled();
      expect(observer.deviations().map(({ id }) => id)).to.include('addThing request body/name required');
      await bare.close();
      await observed.close();
    }
  });

  it('are the same behind two observers, which both see them', async () => {
    const observers = [await shopObserver(), await shopObserver()] as const;
    const both = {
      ...observers[0],
      express: ((incoming, outgoing, next) => {
        observers[0].express(incoming, outgoing, (error) => {
          if (error === undefined) observers[1].express(incoming, outgoing, next);
          else next(error);
        });
      }) satisfies Observer['express'],
    };
    const bare = await listenTo(await hosts.Express(shop));
    const observed = await listenTo(await hosts.Express(shop, both));
    for (const [about, request] of Object.entries(REQUESTS)) {
      expect(await rawAnswer(observed.url, request), about).to.equal(await rawAnswer(bare.url, request));
    }
    for (const observer of observers) await observer.settled();
    expect(observers[0].deviations()).to.deep.equal(observers[1].deviations()).and.to.have.length.above(10);
    await bare.close();
    await observed.close();
  });
});

describe('observe: clients that disconnect', () => {
  for (const [name, host] of Object.entries(hosts)) {
    it(`leave nothing behind on ${name}`, async () => {
      const observer = await shopObserver();
      const served = await listenTo(await host(shop, observer));
      const { url } = served;
      const { hostname, port } = new URL(url);
      const head = { 'content-type': 'application/json', 'content-length': '500' };
      for (const text of [rawRequest('POST /things', head).slice(0, -2), rawRequest('GET /events')]) {
        const socket = connect(Number(port), hostname);
        await once(socket, 'connect');
        socket.write(`${text}\r\n{"name":`);
        await new Promise((resolve) => setTimeout(resolve, 20));
        socket.resetAndDestroy();
      }
      const answer = await rawAnswer(url, rawRequest('GET /things/1'));
      expect(answer).to.contain('200 OK');
      await observer.settled();
      expect(observer.counters.checked).to.be.at.least(1);
      await served.close();
    });
  }
});
