/** Over every transport, the engine sees the same request and the client the same response. */

import { expect } from 'chai';
import type { ResponseContract } from '../../../src/runtime/contract/contract.js';
import type { Answer } from '../../../src/runtime/rest/operation/handler.js';
import { type HttpAnswer, type HttpRequest, send } from '../../support/send.js';
import { contractEngine, type ContractEngineOptions } from './koa-server.js';
import { transports, withListener } from './transports.js';

for (const { name, listen } of transports) {
  describe(`a request through the transport ${name}`, () => {
    /** What a service with these answers says; nothing may be masked. */
    async function answersTo(
      requests: readonly HttpRequest[],
      options: ContractEngineOptions = {},
    ): Promise<readonly HttpAnswer[]> {
      const { engine, reported } = contractEngine(options);
      const received: HttpAnswer[] = [];
      await withListener(await listen(engine), async (url) => {
        for (const request of requests) received.push(await send(url, request));
      });
      expect(reported).to.deep.equal([]);
      return received;
    }

    /** What `GET /` says when its handler answers this. */
    async function answered(answer: Answer, contract: ResponseContract, method = 'GET'): Promise<HttpAnswer> {
      const options = {
        answers: { root: () => answer },
        responses: { root: { [answer.status]: contract } },
      };
      const [received] = await answersTo([{ method, path: '/' }], options);
      if (received === undefined) throw new Error('no answer');
      return received;
    }

    it('is answered with the length of its body, once, whatever length the handler gives', async () => {
      const headers = { 'content-length': { required: true as const, explode: false } };
      const contract: ResponseContract = { headers, content: { 'text/plain': { kind: 'text' } } };
      for (const length of [4, 2, 40]) {
        const answer = { status: 200, headers: { 'content-length': length }, body: 'text' };
        const received = await answered(answer, contract);
        expect([received.text, received.headers['content-length']]).to.deep.equal(['text', '4']);
      }
    });
  });
}
