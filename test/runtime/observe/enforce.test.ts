/** Requests that an observer rejects, on each host: with the status of the contract, in the format of the application. */

import { expect } from 'chai';
import type { ProblemFormat } from '../../../src/runtime/index.js';
import { listenTo } from '../transports/listeners.js';
import { hosts, shop } from './hosts.js';
import { rawAnswer, rawRequest, shopObserver } from './shop-contract.js';

const json = { 'content-type': 'application/json' };
const problems: ProblemFormat = {
  mediaTypes: ['application/json'],
  body: ({ status, message }) => ({ code: `E${String(status)}`, message }),
};

describe('observe: enforce', () => {
  for (const [name, host] of Object.entries(hosts)) {
    it(`rejects requests that do not fit on ${name}, and no others`, async () => {
      const observer = await shopObserver({
        mode: 'enforce',
        modes: { getThing: 'report' },
        problems,
        rate: 0,
        bodyLimit: 100_000,
      });
      const served = await listenTo(await host(shop, observer, true));
      const { url } = served;
      const send = (text: string): Promise<string> => rawAnswer(url, text);
      const wrong = await send(rawRequest('POST /things', json, '{"name":""}'));
      expect(wrong).to.match(/^HTTP\/1\.1 400 /);
      expect(wrong).to.contain('{"code":"E400","message":"body/name must NOT have fewer than 1 characters"}');
      expect(wrong).to.match(/content-type: application\/json/i);
      expect(await send(rawRequest('POST /things'))).to.contain('"message":"body is required"');
      const large = { name: 'a', notes: [{ text: 'x'.repeat(90_000) }, { text: 1 }] };
      expect(await send(rawRequest('POST /things', json, JSON.stringify(large)))).to.contain(
        'body/notes/1/text',
      );
      expect(await send(rawRequest('POST /things', { 'content-type': 'text/csv' }, 'a,b'))).to.match(
        /^HTTP\/1\.1 415 /,
      );
      const right = await send(rawRequest('POST /things', json, '{"name":"Lamp"}'));
      expect(right).to.match(/^HTTP\/1\.1 201 /);
      expect(right).to.contain('{"name":"Lamp"}');
      expect(await send(rawRequest('GET /things/x'))).to.match(/^HTTP\/1\.1 200 /);
      expect(observer.counters.rejected).to.be.within(3, 4);
      // A lax router behind would take these for `/things`.
      for (const path of [
        '/Things',
        '/things/',
        '//things',
        '/%74hings',
        '/things;a',
        '/x/../things',
        '/x/%2E%2e/things',
      ])
        expect(await send(rawRequest(`POST ${path}`, json, '{"name":""}')), path).to.match(
          /^HTTP\/1\.1 400 /,
        );
      await served.close();
    });
  }

  it('in front of a parser rejects parameters and media types, and reports bodies', async () => {
    const observer = await shopObserver({ mode: 'enforce', problems });
    const served = await listenTo(await hosts.Koa(shop, observer));
    const { url } = served;
    expect(await rawAnswer(url, rawRequest('GET /things/x'))).to.contain('400 Bad Request');
    expect(await rawAnswer(url, rawRequest('POST /things', json, '{"name":5}'))).to.contain('201 Created');
    await observer.settled();
    expect(observer.deviations().map(({ id }) => id)).to.include('addThing request body/name type');
    await served.close();
  });

  it('does not change the body that the application reads', async () => {
    const observer = await shopObserver({ mode: 'enforce' });
    for (const host of Object.values(hosts)) {
      const served = await listenTo(await host(shop, observer, true));
      const { url } = served;
      const form = { 'content-type': 'application/x-www-form-urlencoded' };
      expect(await rawAnswer(url, rawRequest('POST /things', form, 'name=Lamp'))).to.contain(
        '{"name":"Lamp"}',
      );
      await served.close();
    }
  });
});
