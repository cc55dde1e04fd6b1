/** Over every transport, the engine sees the same request and the client the same response. */

import { expect } from 'chai';
import type { ResponseContract } from '../../../src/runtime/contract/contract.js';
import type { Answer } from '../../../src/runtime/rest/operation/handler.js';
import { type HttpAnswer, type HttpRequest, send } from '../../support/send.js';
import { contractEngine, type ContractEngineOptions } from './koa-server.js';
import { transports, withListener } from './transports.js';

const TEXT = { 'content-type': 'text/plain' };

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

    it('leads to its operation, with the values of its path', async () => {
      const paths = {
        '/': { id: 'root', path: {} },
        '/users/me': { id: 'getMe', path: {} },
        '/users/a%2Fb%20c?x=1&y=?': { id: 'getUser', path: { id: 'a/b c' } },
        '/users/1/posts/2': { id: 'getPost', path: { id: '1', 'post-id': '2' } },
      };
      const requests = Object.keys(paths).map((path) => ({ method: 'GET', path }));
      const bodies = (await answersTo(requests)).map(({ text }) => JSON.parse(text) as unknown);
      expect(bodies).to.deep.equal(Object.values(paths));
    });

    it('leads nowhere where the contract has no such path, or not for the method', async () => {
      const [lost, wrong, options] = await answersTo([
        { method: 'GET', path: '/nowhere' },
        { method: 'DELETE', path: '/users/1' },
        { method: 'OPTIONS', path: '/users/1' },
      ]);
      expect([lost?.status, wrong?.status, options?.status]).to.deep.equal([404, 405, 204]);
      expect(wrong?.headers.allow).to.equal('GET, PUT, HEAD, OPTIONS');
      expect(options?.headers.allow).to.equal('GET, PUT, HEAD, OPTIONS');
    });

    it('has its body, in one piece or in many, or none', async () => {
      const post = { method: 'POST', path: '/users', headers: TEXT };
      const large = 'é'.repeat(100_000);
      const bodies = ['text', ['t', 'e', 'xt'], large];
      const answers = await answersTo([...bodies.map((body) => ({ ...post, body })), { ...post, body: '' }]);
      const echoes = answers.map(({ text }) => (JSON.parse(text) as { body?: unknown }).body);
      expect(echoes).to.deep.equal(['text', 'text', large, undefined]);
    });

    it('is refused where its body is too long', async () => {
      const post = { method: 'POST', path: '/users', headers: TEXT };
      const answers = await answersTo(
        [
          { ...post, body: 'x'.repeat(11) },
          { ...post, body: ['x'.repeat(9), 'xx'] },
        ],
        { bodyLimit: 10 },
      );
      expect(answers.map(({ status }) => status)).to.deep.equal([413, 413]);
    });

    it('is answered without a body where the status has none', async () => {
      for (const status of [204, 304]) {
        const { text, headers, status: received } = await answered({ status, headers: { ETag: '"1"' } }, {});
        expect([received, text, headers.etag]).to.deep.equal([status, '', '"1"']);
        expect(headers).to.not.have.any.keys('content-type', 'content-length');
      }
    });

    it('is answered with text, or bytes, and their length', async () => {
      const text = await answered(
        { status: 200, body: 'é' },
        { content: { 'text/plain': { kind: 'text' } } },
      );
      expect([text.text, text.headers['content-type'], text.headers['content-length']]).to.deep.equal([
        'é',
        'text/plain',
        '2',
      ]);
      const larger = Uint8Array.from('..PNG..', (character) => character.charCodeAt(0)).subarray(2, 5);
      const bytes = await answered(
        { status: 200, body: larger },
        { content: { 'image/png': { kind: 'bytes' } } },
      );
      expect([bytes.text, bytes.headers['content-type']]).to.deep.equal(['PNG', 'image/png']);
    });

    it('is answered with the length of its body, once, whatever length the handler gives', async () => {
      const headers = { 'content-length': { required: true as const, explode: false } };
      const contract: ResponseContract = { headers, content: { 'text/plain': { kind: 'text' } } };
      for (const length of [4, 2, 40]) {
        const answer = { status: 200, headers: { 'content-length': length }, body: 'text' };
        const received = await answered(answer, contract);
        expect([received.text, received.headers['content-length']]).to.deep.equal(['text', '4']);
      }
    });

    it('is answered with each cookie in a separate header', async () => {
      const cookies = ['a=1; HttpOnly', 'b=2; Expires=Fri, 31 Dec 2027 00:00:00 GMT'];
      const { headers } = await answered({ status: 204, headers: { 'Set-Cookie': cookies } }, {});
      expect(headers['set-cookie']).to.deep.equal(cookies);
    });

    it('is answered without the body for HEAD', async () => {
      const contract: ResponseContract = { content: { 'image/png': { kind: 'bytes' } } };
      const { text, status, headers } = await answered(
        { status: 200, body: Uint8Array.of(1, 2) },
        contract,
        'HEAD',
      );
      expect([status, text, headers['content-type']]).to.deep.equal([200, '', 'image/png']);
    });
  });
}
