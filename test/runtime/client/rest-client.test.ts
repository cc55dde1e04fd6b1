/** The client of a service: what it writes and reads, and servers that break the contract. */

import type { RequestListener } from 'node:http';
import { expect } from 'chai';
import fc from 'fast-check';
import type { RestContract } from '@concordat/runtime';
import { UnexpectedAnswer } from '@concordat/runtime/client';
import { arbitraryOf } from '@concordat/tools/fast-check';
import type { GeneratedContract } from '../../codegen/generated-contract.js';
import { clientOf, generated, listen, rejection, served, useServers } from './served-client.js';

describe('restClient', () => {
  useServers();
  it('writes parameters in every style as the engine reads them', async () => {
    let given: unknown;
    const { contract } = await generated('styles.openapi-3.1.yaml');
    const operations = Object.fromEntries(
      Object.keys(contract.operations).map((id) => [
        id,
        (request: unknown) => {
          given = request;
          return { status: 204 };
        },
      ]),
    );
    const { client, contract: same } = await served('styles.openapi-3.1.yaml', { operations });
    for (const id of Object.keys(same.operations)) {
      for (const request of fc.sample(arbitraryOf(same, id), { numRuns: 5, seed: 1 })) {
        given = undefined;
        const outcome = await client[id]?.(request).then(({ status }) => status, String);
        expect(outcome, id).to.equal(204);
        for (const [part, value] of Object.entries(request))
          expect(given, id).to.have.deep.property(part, value);
      }
    }
  });

  it('sends and answers values of types of their own', async () => {
    const thing = {
      type: 'object',
      required: ['at', 'count'],
      properties: {
        at: { type: 'string', format: 'date-time' },
        count: { type: 'integer', format: 'int64' },
        rounded: { type: 'number', maximum: 2 ** 60 },
      },
    };
    const content = { 'application/json': { schema: thing } };
    const put = {
      operationId: 'putThing',
      parameters: [{ in: 'query', name: 'since', schema: thing.properties.at }],
      requestBody: { required: true, content },
      responses: { '200': { description: 'The same.', content } },
    };
    const document = { openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: { '/things': { put } } };
    let given: { readonly query?: object; readonly body?: object } = {};
    const { client } = await served(
      document,
      {
        operations: {
          putThing: (request: typeof given) => {
            given = request;
            return { status: 200, body: request.body };
          },
        },
      },
      { 'date-time': 'Date', int64: 'bigint' },
    );
    const body = { at: new Date(7), count: 2n ** 60n, rounded: 2 ** 60 };
    const answer = await client['putThing']?.({ query: { since: new Date(8) }, body });
    expect(given.query).to.deep.equal({ since: new Date(8) });
    expect(answer).to.deep.include({ status: 200, contentType: 'application/json', body });
  });

  describe('against a server that fails', () => {
    const schema = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
    const ok = {
      description: 'One.',
      headers: { 'X-Count': { required: true, schema: { type: 'integer' } } },
      content: { 'application/json': { schema } },
    };
    const responses = { '200': ok, '503': { description: 'Later.' } };
    const key = { in: 'header', name: 'Idempotency-Key', schema: { type: 'string' } };
    const requestBody = { content: { 'application/json': { schema } } };
    const document = {
      openapi: '3.1.0',
      info: { title: 'T', version: '1' },
      paths: {
        '/things': {
          get: { operationId: 'getThing', responses },
          post: { operationId: 'addThing', requestBody, responses },
          patch: { operationId: 'changeThing', parameters: [key], requestBody, responses },
        },
      },
    };
    let contract: RestContract;
    let responseChecks: GeneratedContract['responseChecks'];
    let url: string;
    /** Answers the requests in turn; the last one answers all others. */
    let replies: RequestListener[] = [];
    let received: { readonly method: string; readonly key: unknown }[] = [];
    before(async () => {
      ({ contract, responseChecks } = await generated(document));
      url = await listen((request, response) => {
        received.push({ method: request.method ?? '', key: request.headers['idempotency-key'] });
        request.resume();
        (replies.length > 1 ? replies.shift() : replies[0])?.(request, response);
      });
    });
    beforeEach(() => {
      received = [];
    });

    const reply =
      (status: number, body = '{"id":1}', headers: Readonly<Record<string, string>> = {}): RequestListener =>
      (_, response) => {
        response.writeHead(status, { 'Content-Type': 'application/json', 'X-Count': '1', ...headers });
        response.end(body);
      };
    const later = reply(503, '', { 'Retry-After': '0' });
    const hangUp: RequestListener = (request) => request.socket.destroy();
    const body = { id: 1 };

    it('repeats a request with a safe method after a failed connection and a 503', async () => {
      replies = [hangUp, later, reply(200)];
      expect(await clientOf(contract, url)['getThing']?.()).to.deep.include({ status: 200, body });
      expect(received).to.have.length(3);
    });

    it('sends the same Idempotency-Key with each repetition, and another one with another call', async () => {
      replies = [later, later, reply(200)];
      const client = clientOf(contract, url);
      await client['changeThing']?.({ body });
      expect(received.map((each) => each.key)).to.deep.equal(Array(3).fill(received[0]?.key));
      expect(received[0]?.key).to.match(/^[\da-f]{32}$/);
      await client['changeThing']?.({ body, headers: { 'Idempotency-Key': 'mine' } });
      await client['changeThing']?.({ body });
      expect(received[3]?.key).to.equal('mine');
      expect(received[4]?.key).to.not.equal(received[0]?.key);
    });

    it('sends once a request that may not be repeated, one with `retries: 0`, and one whose answer says to wait long', async () => {
      replies = [later];
      await clientOf(contract, url)['addThing']?.({ body });
      await clientOf(contract, url, { retries: 0 })['getThing']?.();
      replies = [reply(503, '', { 'Retry-After': '3600' })];
      const answer = await clientOf(contract, url)['getThing']?.();
      expect(answer).to.deep.include({ status: 503 });
      expect(received).to.have.length(3);
    });

    it('gives up after the given number of repetitions', async () => {
      replies = [later];
      expect(await clientOf(contract, url, { retries: 3 })['getThing']?.()).to.deep.include({ status: 503 });
      expect(received).to.have.length(4);
    });

    it('is aborted by its signal, also while it waits to repeat a request', async () => {
      const controller = new AbortController();
      replies = [
        (request, response) => {
          reply(503, '', { 'Retry-After': '20' })(request, response);
          response.on('close', () => setTimeout(() => controller.abort(new Error('enough')), 1));
        },
      ];
      const { signal } = controller;
      expect(await rejection(clientOf(contract, url)['getThing']?.({}, { signal }))).to.include({
        message: 'enough',
      });
      expect(await rejection(clientOf(contract, url)['getThing']?.({}, { signal }))).to.include({
        message: 'enough',
      });
      expect(received).to.have.length(1);
    });

    const faults: readonly (readonly [what: string, RequestListener, problem: string])[] = [
      [
        'a value that does not fit',
        reply(200, '{"id":"1"}'),
        '200 against the contract: body/id must be integer',
      ],
      [
        'a header that does not fit',
        reply(200, '{"id":1}', { 'X-Count': 'a' }),
        '200 against the contract: headers/X-Count must be integer',
      ],
      [
        'another media type',
        reply(200, '<a/>', { 'Content-Type': 'text/html' }),
        '200 against the contract: the media type text/html is not declared',
      ],
    ];
    for (const [what, fault, problem] of faults) {
      it(`rejects ${what}, or reports it, or does not look`, async () => {
        replies = [fault];
        const reported: UnexpectedAnswer[] = [];
        const report = (each: UnexpectedAnswer) => void reported.push(each);
        const message = `getThing was answered ${problem}`;
        const strict = await rejection(clientOf(contract, url, { responseChecks })['getThing']?.());
        expect(strict).to.be.instanceOf(UnexpectedAnswer);
        expect(strict).to.include({ status: 200, message });
        const lenient = clientOf(contract, url, { responseChecks, check: 'report', report });
        expect(await lenient['getThing']?.()).to.include({ status: 200 });
        expect(reported.map((each) => each.message)).to.deep.equal([message]);
        const off = clientOf(contract, url, { responseChecks, check: 'off' });
        expect(await off['getThing']?.()).to.include({ status: 200 });
      });
    }

    const unreadable: readonly (readonly [what: string, RequestListener, status: number, problem: string])[] =
      [
        ['a status that the contract does not have', reply(418), 418, 'the status 418 is not declared'],
        [
          'a redirect, which it does not follow',
          reply(302, '', { Location: '/' }),
          302,
          'the status 302 is not declared',
        ],
        ['what is no JSON', reply(200, '{"id":'), 200, 'body must be valid JSON'],
        [
          'what is no UTF-8',
          (request, response) => reply(200, Buffer.of(0xff) as never)(request, response),
          200,
          'body must be UTF-8 text',
        ],
        [
          'more than its limit',
          reply(200, `{"id":1${' '.repeat(100)}}`),
          200,
          'the body is larger than 50 bytes',
        ],
      ];
    for (const [what, fault, status, problem] of unreadable) {
      it(`rejects ${what}, whatever is checked`, async () => {
        replies = [fault];
        for (const check of ['throw', 'off'] as const) {
          const error = await rejection(clientOf(contract, url, { check, answerLimit: 50 })['getThing']?.());
          expect(error).to.be.instanceOf(UnexpectedAnswer);
          expect(error).to.include({
            status,
            message: `getThing was answered ${String(status)} against the contract: ${problem}`,
          });
        }
      });
    }

    it('sends the headers of the client and of the call, and those that the contract prefers', async () => {
      let headers: object = {};
      replies = [
        (request, response) => {
          ({ headers } = request);
          reply(200)(request, response);
        },
      ];
      const client = clientOf(contract, `${url}/`, { headers: { 'x-a': '1', 'x-b': '1', 'x-c': '1' } });
      await client['getThing']?.({}, { headers: { 'x-b': '2', 'x-c': undefined } });
      expect(headers).to.include({ 'x-a': '1', 'x-b': '2', accept: 'application/json, */*;q=0.1' });
      expect(headers).to.not.have.property('x-c');
    });

    it('does not send what it cannot write', async () => {
      const refused = await rejection(
        clientOf(contract, url)['addThing']?.({ body, contentType: 'text/csv' }),
      );
      expect(refused).to.include({
        name: 'TypeError',
        message: 'addThing: the contract has no body in text/csv',
      });
      expect(received).to.deep.equal([]);
    });
  });
});
