/** The client of a service against engines behind `node:http`, and against servers that break the contract. */

import { once } from 'node:events';
import { type RequestListener, type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import fc from 'fast-check';
import type { Answer, RestContract } from '@concordat/runtime';
import { UnexpectedAnswer, restClient } from '@concordat/runtime/client';
import { nodeTransport } from '@concordat/runtime/node';
import { arbitraryOf } from '@concordat/tools/fast-check';
import { fixture } from '../../codegen/contract-list.js';
import {
  type GeneratedContract,
  type Service,
  generateContract,
  removeDirectory,
  temporaryPackage,
} from '../../codegen/generated-contract.js';
import { Streams, of } from '../../codegen/served-streams.js';
import { until } from '../../support/until.js';

/** A call as loosely as tests of many contracts need it. */
type Call = (
  request?: object,
  options?: { readonly headers?: object; readonly signal?: AbortSignal },
) => Promise<Answer>;
type Loose = Readonly<Record<string, Call>>;
type Options = Omit<Parameters<typeof restClient>[0], 'contract' | 'baseUrl'>;

const servers: Server[] = [];
const directories: string[] = [];

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

async function generated(openapi: string | object, values?: object): Promise<GeneratedContract> {
  const directory = await temporaryPackage();
  directories.push(directory);
  const file = typeof openapi === 'string' ? fixture(openapi).file : join(directory, 'openapi.json');
  if (typeof openapi === 'object') await writeFile(file, JSON.stringify(openapi));
  const money = fileURLToPath(new URL('../../fixtures/values/money.ts', import.meta.url));
  await copyFile(money, join(directory, 'money.ts'));
  return generateContract(directory, { openapi: file, ...(values && { values: values as never }) });
}

const clientOf = (contract: RestContract, baseUrl: string, options: Options = {}): Loose =>
  restClient({ contract, baseUrl, ...options }) as unknown as Loose;

async function served(openapi: string | object, service: Service, values?: object) {
  const { contract, responseChecks, start } = await generated(openapi, values);
  const url = await listen(nodeTransport(start(service)));
  return { contract, responseChecks, url, client: clientOf(contract, url, { responseChecks }) };
}

/** What a promise was rejected with. */
async function rejection(promise: Promise<unknown> | undefined): Promise<Error> {
  const outcome = await Promise.resolve(promise).then(
    () => new Error('nothing was thrown'),
    (error: unknown) => error as Error,
  );
  return outcome;
}

describe('restClient', function () {
  this.timeout(30_000);
  after(async () => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
    await Promise.all(directories.map(removeDirectory));
  });

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
    const body = { at: new Date(7), count: 2n ** 60n };
    const answer = await client['putThing']?.({ query: { since: new Date(8) }, body });
    expect(given.query).to.deep.equal({ since: new Date(8) });
    expect(answer).to.deep.include({ status: 200, contentType: 'application/json', body });
  });

  describe('with streams', () => {
    const streams = new Streams();
    let client: Loose;
    let setup: Awaited<ReturnType<typeof served>>;
    before(async () => {
      setup = await served('streams.openapi-3.2.yaml', { operations: streams.operations });
      ({ client } = setup);
    });
    beforeEach(() => {
      streams.read = [];
    });

    it('sends items as they are made, and gets them as they are answered, at the same time', async () => {
      let next: (name: string) => void = () => undefined;
      async function* entries() {
        yield { name: 'first', level: 1 };
        yield { name: await new Promise<string>((resolve) => (next = resolve)), level: 2 };
      }
      const answer = await client['echoEntries']?.({ body: entries() });
      const items = (answer?.body as AsyncIterable<unknown>)[Symbol.asyncIterator]();
      expect(await items.next()).to.deep.equal({ done: false, value: { name: 'first', level: 1 } });
      next('second');
      expect(await items.next()).to.deep.equal({ done: false, value: { name: 'second', level: 2 } });
      expect(await items.next()).to.include({ done: true });
    });

    const bodies: readonly (readonly [id: string, body: readonly unknown[], read?: readonly unknown[]])[] = [
      [
        'addEntries',
        [
          { name: 'a', level: 1 },
          { name: 'b', level: 2 },
        ],
      ],
      ['addEvents', [{ data: 'a\nb' }, { data: 'c', event: 'added' }]],
      ['addPictures', [{ id: 1 }, Uint8Array.of(1, 2)]],
      ['writeFile', [Uint8Array.of(1), Uint8Array.of(2)], [Uint8Array.of(1, 2)]],
    ];
    for (const [id, items, read = items] of bodies) {
      it(`sends the stream of ${id}`, async () => {
        const answer = await client[id]?.({ path: { name: 'a' }, body: of(items) });
        expect(answer?.status, JSON.stringify(answer)).to.equal(200);
        const pieces = streams.read.every((each) => each instanceof Uint8Array)
          ? [new Uint8Array(Buffer.concat(streams.read))]
          : streams.read.map((each) => (each instanceof Uint8Array ? new Uint8Array(each) : each));
        expect(pieces).to.deep.equal(read);
      });
    }

    it('sends a form part by part, with its files as they are made', async () => {
      const parts = [
        { name: 'title', value: 'a "b"' },
        { name: 'size', value: 7 },
        {
          name: 'photo',
          filename: 'a"b.png',
          contentType: 'image/png',
          body: of([Uint8Array.of(65), Uint8Array.of(66)]),
        },
      ];
      const answer = await client['upload']?.({ body: of(parts) });
      expect(answer?.status, JSON.stringify(answer)).to.equal(200);
      const [title, size, photo] = parts;
      expect(streams.read).to.deep.equal([title, size, { ...photo, body: 'AB' }]);
    });

    it('gets bytes as a stream, which its signal aborts', async () => {
      streams.source = () => streams.ticks(() => Uint8Array.of(1));
      const controller = new AbortController();
      const answer = await client['readFile']?.({ path: { name: 'a' } }, { signal: controller.signal });
      const reader = (answer?.body as ReadableStream<Uint8Array>).getReader();
      expect((await reader.read()).value?.[0]).to.equal(1);
      controller.abort();
      expect(await rejection(reader.closed)).to.include({ name: 'AbortError' });
      await until('the stream is released', () => streams.open === 0);
    });

    it('rejects where an item does not fit, or reports it', async () => {
      const { contract, responseChecks } = setup;
      const url = await listen((_request, response) => {
        response.setHeader('Content-Type', 'application/jsonl');
        response.end('{"name":"a"}\n{"name":1}\n{"name":"c"}\n');
      });
      const readAll = async (answer: Answer | undefined) => {
        const items: unknown[] = [];
        for await (const item of answer?.body as AsyncIterable<unknown>) items.push(item);
        return items;
      };
      const strict = clientOf(contract, url, { responseChecks });
      const problem = 'readEntries was answered 200 against the contract: body/1/name must be string';
      expect(await rejection(readAll(await strict['readEntries']?.()))).to.include({ message: problem });
      const reported: string[] = [];
      const report = ({ message }: Error) => void reported.push(message);
      const lenient = clientOf(contract, url, { responseChecks, check: 'report', report });
      expect(await readAll(await lenient['readEntries']?.())).to.have.length(3);
      expect(reported).to.deep.equal([problem]);
    });
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

  describe('with credentials', () => {
    let contract: RestContract;
    let url: string;
    let sent: { readonly url?: string | undefined; readonly headers: NodeJS.Dict<string | string[]> } = {
      headers: {},
    };
    before(async () => {
      ({ contract } = await generated('security.openapi-3.1.yaml'));
      url = await listen((request, response) => {
        sent = { url: request.url, headers: request.headers };
        response.writeHead(204).end();
      });
    });

    /** All that the contract has, so that each test replaces one. */
    const all: Readonly<Record<string, unknown>> = {
      bearer: 'b',
      headerKey: 'h',
      queryKey: 'q&',
      cookieKey: 'c',
      basic: { username: 'Ann', password: 'pä:ss' },
      oauth: () => Promise.resolve('o'),
      openId: () => 'i',
    };
    const call = async (id: string, changes: object = {}): Promise<unknown> =>
      clientOf(contract, url, { credentials: { ...all, ...changes } as never })[id]?.();

    const places: readonly (readonly [id: string, header: string, value: string | undefined])[] = [
      ['byDefault', 'authorization', 'Bearer b'],
      ['inPublic', 'authorization', undefined],
      ['withOrWithout', 'authorization', 'Bearer b'],
      ['byPassword', 'authorization', `Basic ${Buffer.from('Ann:pä:ss').toString('base64')}`],
      ['byScope', 'authorization', 'Bearer o'],
      ['byOpenId', 'authorization', 'Bearer i'],
    ];
    for (const [id, header, value] of places) {
      it(`sends those of ${id}`, async () => {
        await call(id);
        expect(sent.headers[header]).to.equal(value);
      });
    }

    it('sends keys in headers, cookies and queries', async () => {
      const { securitySchemes } = contract as unknown as {
        readonly securitySchemes: Record<string, { name: string }>;
      };
      await call('byHeaderKey');
      expect(sent.headers[securitySchemes['headerKey']?.name.toLowerCase() ?? '']).to.equal('h');
      await call('byQueryKey');
      expect(sent.url).to.match(new RegExp(`\\?${securitySchemes['queryKey']?.name ?? ''}=q%26$`));
      await call('byCookieKey');
      expect(sent.headers.cookie).to.equal(`${securitySchemes['cookieKey']?.name ?? ''}=c`);
    });

    it('takes the first requirement of which it has all', async () => {
      const { securitySchemes } = contract as unknown as {
        readonly securitySchemes: Record<string, { name: string }>;
      };
      await call('byEither', { headerKey: () => undefined });
      expect(sent.headers.authorization).to.match(/^Basic /);
      expect(sent.headers).to.not.have.property(securitySchemes['headerKey']?.name.toLowerCase() ?? '');
      await call('withOrWithout', { bearer: () => undefined });
      expect(sent.headers).to.not.have.property('authorization');
    });

    it('leaves to `fetch` a credential that is true', async () => {
      await call('byDefault', { bearer: true });
      expect(sent.headers).to.not.have.property('authorization');
    });

    it('sends nothing without a credential, or with one that no header can hold, which it does not repeat', async () => {
      sent = { headers: {} };
      const none = await rejection(call('byDefault', { bearer: () => Promise.resolve(undefined) }));
      expect(none).to.include({ name: 'TypeError', message: 'byDefault: there is no credential for bearer' });
      const broken = await rejection(call('byDefault', { bearer: () => 'secret\nX-Other: 1' }));
      expect(broken).to.include({ name: 'TypeError' });
      expect(broken.message).to.not.include('secret');
      expect(sent.url).to.equal(undefined);
    });

    it('never sends them to another origin', async () => {
      let others = 0;
      const other = await listen((_request, response) => {
        others += 1;
        response.end();
      });
      const redirecting = await listen((_request, response) => {
        response.writeHead(307, { Location: other }).end();
      });
      const client = clientOf(contract, redirecting, { credentials: all as never });
      expect(await rejection(client['byHeaderKey']?.())).to.include({ status: 307 });
      expect(others).to.equal(0);
    });

    const wrong: readonly (readonly [options: object, message: string])[] = [
      [{ credentials: { ...all, bearer: undefined } }, 'credentials.bearer is missing: byDefault needs it'],
      [{}, 'credentials.bearer is missing: byDefault needs it'],
      [
        { credentials: { ...all, token: 'a' } },
        'credentials.token: the contract has no such security scheme',
      ],
      [{ credentials: { ...all, bearer: 7 } }, 'credentials.bearer must be a text'],
      [{ credentials: { ...all, bearer: '' } }, 'credentials.bearer must be a text'],
      [
        { credentials: { ...all, basic: 'secret' } },
        'credentials.basic must be { username, password }, without a colon in the username',
      ],
      [
        { baseUrl: 'example.com' },
        'restClient: baseUrl must be an http or https URL without a password, a query and a fragment',
      ],
      [
        { baseUrl: undefined },
        'restClient: baseUrl must be an http or https URL without a password, a query and a fragment',
      ],
      [
        { baseUrl: 'ftp://example.com' },
        'restClient: baseUrl must be an http or https URL without a password, a query and a fragment',
      ],
      [
        { baseUrl: 'https://a:secret@example.com' },
        'restClient: baseUrl must be an http or https URL without a password, a query and a fragment',
      ],
      [
        { baseUrl: 'https://example.com?a=1' },
        'restClient: baseUrl must be an http or https URL without a password, a query and a fragment',
      ],
      [{ baseURL: 'https://example.com' }, 'restClient has no option baseURL'],
      [{ contract: {} }, 'restClient: contract must be the contract of the generated routing.ts'],
      [{ check: 'warn' }, "restClient: check must be 'throw', 'report' or 'off'"],
      [{ check: 'report' }, 'restClient: report must be a function'],
      [{ fetch: 'node-fetch' }, 'restClient: fetch must be a function'],
      [{ retries: 11 }, 'restClient: retries must be an integer from 0 to 10'],
      [{ retries: -1 }, 'restClient: retries must be an integer from 0 to 10'],
      [{ answerLimit: '1 MB' }, 'restClient: answerLimit must be a number of bytes'],
    ];
    for (const [options, message] of wrong) {
      it(`is not made with ${JSON.stringify(options, (_, value: unknown) => (value === undefined ? null : value))}`, () => {
        const given = 'baseUrl' in options || !('credentials' in options) ? { credentials: all } : {};
        const whole = message.includes('is missing') ? options : { ...given, ...options };
        expect(() => restClient({ contract, baseUrl: url, ...whole })).to.throw(TypeError, message);
      });
    }
  });
});
