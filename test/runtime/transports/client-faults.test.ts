/** A client whose body does not fit, found while it is answered, breaks its response off and is no failure of the service. */

import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { setImmediate as soon, setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import Koa from 'koa';
import { type HttpHandler, Problem } from '../../../src/runtime/index.js';
import { koaTransport } from '../../../src/runtime/transports/koa.js';
import { nodeTransport } from '../../../src/runtime/transports/node.js';
import { withListener } from './transports.js';

type Listen = (handler: HttpHandler, report: (error: unknown) => void) => RequestListener;

const LISTENS: Readonly<Record<string, Listen>> = {
  node: (handler, report) => nodeTransport(handler, { report }),
  koa: (handler, report) => {
    const answer = new Koa().use(koaTransport(handler)).on('error', report).callback();
    return (request, response) => void answer(request, response);
  },
};

for (const [name, listen] of Object.entries(LISTENS)) {
  describe(`a response of ${name} that is broken off`, () => {
    /** What is reported where a body ends with this error. */
    async function reportedFor(failure: Error): Promise<readonly unknown[]> {
      async function* body(): AsyncGenerator<Uint8Array, void, void> {
        yield Buffer.from('half');
        await sleep(20);
        throw failure;
      }
      const reported: unknown[] = [];
      const handler: HttpHandler = () => ({ status: 200, headers: {}, body: body() });
      const listener = listen(handler, (error) => void reported.push(error));
      let closed: Promise<unknown> | undefined;
      const watched: RequestListener = (request, response) => {
        closed = once(response, 'close');
        listener(request, response);
      };
      await withListener(watched, async (url) => {
        const response = await fetch(url);
        const end = await response.text().then(
          () => 'clean',
          () => 'broken off',
        );
        expect(end).to.equal('broken off');
        await closed;
        await soon();
      });
      return reported;
    }

    it('is reported for a failure of the service, and not for a fault of the client', async () => {
      const failure = new Error('the store failed');
      expect(await reportedFor(failure)).to.deep.equal([failure]);
      expect(await reportedFor(new Problem(400, 'body/1/name must be string'))).to.deep.equal([]);
    });
  });
}
