/** What is refused before any handler: in the format of the contract, and after the responses that the connection is owed. */

import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { type HttpHandler, Problem } from '../../../src/runtime/index.js';
import { answerClientErrors } from '../../../src/runtime/transports/node.js';
import { runs } from '../../support/budget.js';
import { until } from '../../support/until.js';
import { exchange, requestText } from '../../support/wire.js';
import { listeners } from './listeners.js';

const GARBAGE = '\u0000\u0001 no HTTP\r\n\r\n';
const BROKEN_CHUNK = '5\r\nhello\r\nnonsense\r\n';

const post = (path: string, body = 'text'): string =>
  requestText(path, { method: 'POST', headers: [`Content-Length: ${String(body.length)}`] }) + body;
const chunked = (path: string): string =>
  requestText(path, { method: 'POST', headers: ['Transfer-Encoding: chunked'] });

/** The statuses and bodies that were received, in order. */
function responsesIn(received: string): (readonly [status: number, body: string])[] {
  return received
    .split(/(?=HTTP\/1\.1 )/)
    .filter((text) => text !== '')
    .map((text) => [Number(text.split(' ')[1]), text.slice(text.indexOf('\r\n\r\n') + 4)]);
}

const refusal = (status: number, error: string): readonly [number, string] => [
  status,
  JSON.stringify({ error }),
];
const MALFORMED = refusal(400, 'The request is not valid HTTP');

for (const name of ['node', 'koa', 'koa, with sendPastKoa'] as const) {
  describe(`client errors of a server behind ${name}`, () => {
    /** The bodies that were stored, which a response of 201 confirms. */
    let stored: string[] = [];
    let url = '';
    const store: HttpHandler = async (request) => {
      if (request.path === '/early') {
        stored.push('early');
        await sleep(20);
        return { status: 201, headers: {}, body: 'early' };
      }
      try {
        const body = Buffer.from(await request.readBody(1000)).toString();
        if (request.path === '/slow') await sleep(20);
        stored.push(body);
        return { status: 201, headers: {}, body };
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        return { status: error.status, headers: {}, body: JSON.stringify({ error: error.message }) };
      }
    };
    async function* pieces(): AsyncGenerator<Uint8Array, void, void> {
      for (const piece of ['one ', 'two']) {
        await sleep(10);
        yield Buffer.from(piece);
      }
    }
    const handler: HttpHandler = (request) =>
      request.path === '/stream'
        ? { status: 200, headers: { 'Content-Length': '7' }, body: pieces() }
        : store(request);
    const server = createServer({ connectionsCheckingInterval: 20 }, listeners[name]?.(handler));

    before(async () => {
      answerClientErrors(server, {
        refuse: ({ status, message }) => ({
          status,
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ error: message }),
        }),
      });
      await once(server.listen(0, '127.0.0.1'), 'listening');
      url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    });
    beforeEach(() => (stored = []));
    after(() => server.close());

    /** Sends bytes to a server that waits for a request for a moment only. */
    async function hastily(bytes: string): Promise<readonly (readonly [number, string])[]> {
      const { headersTimeout, requestTimeout } = server;
      Object.assign(server, { headersTimeout: 300, requestTimeout: 300 });
      try {
        return await asked(bytes);
      } finally {
        Object.assign(server, { headersTimeout, requestTimeout });
      }
    }

    /** Sends bytes, and then nothing, to a server that waits for the next ones for less time than for the whole request. */
    async function silently(...texts: readonly string[]): Promise<readonly (readonly [number, string])[][]> {
      const { keepAliveTimeout } = server;
      Object.assign(server, { timeout: 100, keepAliveTimeout: 100 });
      try {
        return await Promise.all(texts.map(asked));
      } finally {
        Object.assign(server, { timeout: 0, keepAliveTimeout });
      }
    }

    const asked = async (bytes: string): Promise<(readonly [number, string])[]> =>
      responsesIn(await exchange(url, bytes));

    for (const path of ['/quick', '/slow']) {
      it(`come after the response to a POST in the same packet, each time: ${path}`, async () => {
        for (let run = 1; run <= runs(20); run += 1) {
          expect(await asked(post(path, `body ${String(run)}`) + GARBAGE)).to.deep.equal([
            [201, `body ${String(run)}`],
            MALFORMED,
          ]);
          expect(stored).to.have.length(run);
        }
      });
    }

    it('come after all responses to pipelined requests, in their order', async () => {
      const bytes = [post('/slow', 'a'), post('/quick', 'b'), post('/slow', 'c'), GARBAGE].join('');
      expect(await asked(bytes)).to.deep.equal([[201, 'a'], [201, 'b'], [201, 'c'], MALFORMED]);
      expect(stored).to.have.members(['a', 'b', 'c']);
    });

    it('come after a response that is being streamed', async () => {
      expect(await asked(requestText('/stream') + GARBAGE)).to.deep.equal([[200, 'one two'], MALFORMED]);
    });

    it('do not come after a response that ends the connection', async () => {
      const bytes = requestText('/stream', { headers: ['Connection: close'] }) + GARBAGE;
      expect(await asked(bytes)).to.deep.equal([[200, 'one two']]);
    });

    it('come after a POST also for headers that are too large', async () => {
      const bytes = post('/slow') + requestText('/', { headers: [`X-Long: ${'x'.repeat(20_000)}`] });
      const tooLarge = refusal(431, 'The request headers are too large');
      expect(await asked(bytes)).to.deep.equal([[201, 'text'], tooLarge]);
    });

    it('come at once after requests that were answered before', async () => {
      const { connect } = await import('node:net');
      const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('utf8');
      let received = '';
      socket.on('data', (chunk: string) => (received += chunk)).write(post('/quick'));
      await once(socket, 'data');
      socket.write(GARBAGE);
      await once(socket, 'close');
      expect(responsesIn(received)).to.deep.equal([[201, 'text'], MALFORMED]);
    });

    it('in a body fail the reading of it, and there is one response', async () => {
      for (const first of ['', post('/slow', 'first')]) {
        const owed = first === '' ? [] : [[201, 'first']];
        expect(await asked(first + chunked('/quick') + BROKEN_CHUNK)).to.deep.equal([...owed, MALFORMED]);
        expect(stored).to.have.length(owed.length);
      }
    });

    it('in a body that a handler does not read leave its response alone', async () => {
      expect(await asked(chunked('/early') + BROKEN_CHUNK)).to.deep.equal([[201, 'early']]);
      expect(await asked(`${chunked('/stream')}5\r\nhello\r\n${GARBAGE}`)).to.deep.equal([[200, 'one two']]);
      expect(stored).to.deep.equal(['early']);
    });

    it('of a body that arrives too slowly fail the reading of it with a 408', async () => {
      const late = refusal(408, 'The request did not arrive in time');
      const bytes = requestText('/quick', { method: 'POST', headers: ['Content-Length: 10'] });
      expect(await hastily(`${bytes}half`)).to.deep.equal([late]);
      expect(await hastily(`${post('/quick')}POST / HTTP`)).to.deep.equal([[201, 'text'], late]);
      expect(stored).to.deep.equal(['text']);
    });

    it('of a body that stops arriving fail the reading of it with a 408, before the time for a request is over', async () => {
      const late = refusal(408, 'The request did not arrive in time');
      const unfinished = `${requestText('/quick', { method: 'POST', headers: ['Content-Length: 20'] })}{`;
      expect(await silently(unfinished, post('/slow') + unfinished)).to.deep.equal([
        [late],
        [[201, 'text'], late],
      ]);
      expect(stored).to.deep.equal(['text']);
    });

    it('of a silent connection leave the response to its request alone', async () => {
      const unread = requestText('/early', { method: 'POST', headers: ['Content-Length: 20'] });
      // Node adds a second to the time for which a connection is kept.
      expect(await silently(`${unread}{`, post('/quick'), '')).to.deep.equal([
        [[201, 'early']],
        [[201, 'text']],
        [],
      ]);
      expect(await hastily(`${unread}{`), 'after the time for a request').to.deep.equal([[201, 'early']]);
    });

    it('answer an unknown Expect in its turn', async () => {
      const unmet = refusal(417, 'The only expectation that is met is 100-continue');
      const expecting = requestText('/', { headers: ['Expect: zzz', 'Connection: close'] });
      expect(await asked(post('/slow') + expecting)).to.deep.equal([[201, 'text'], unmet]);
      const head = requestText('/', { method: 'HEAD', headers: ['Expect: zzz', 'Connection: close'] });
      expect(await asked(head)).to.deep.equal([[417, '']]);
    });

    for (const expectation of [
      '100-continue, zzz',
      'zzz,100-continue',
      '100-continue;q=1',
      '100-continue zzz',
    ]) {
      it(`answer an unknown Expect in a list: ${expectation}`, async () => {
        const headers = [`Expect: ${expectation}`, 'Content-Length: 4', 'Connection: close'];
        const expecting = requestText('/quick', { method: 'POST', headers });
        const unmet = refusal(417, 'The only expectation that is met is 100-continue');
        expect(await asked(expecting)).to.deep.equal([unmet]);
        expect(await asked(`${expecting}text`)).to.deep.equal([unmet]);
        expect(await asked(post('/slow') + expecting)).to.deep.equal([[201, 'text'], unmet]);
        expect(stored).to.deep.equal(['text']);
      });
    }

    it('let through an Expect that is met', async () => {
      for (const expectation of ['100-continue', '100-Continue', ', 100-continue,100-continue']) {
        const headers = [`Expect: ${expectation}`, 'Content-Length: 4', 'Connection: close'];
        const expecting = requestText('/quick', { method: 'POST', headers });
        expect(await asked(`${expecting}text`), expectation).to.deep.equal([
          [100, ''],
          [201, 'text'],
        ]);
      }
      const none = requestText('/quick', {
        method: 'POST',
        headers: ['Expect:', 'Content-Length: 4', 'Connection: close'],
      });
      expect(await asked(`${none}text`)).to.deep.equal([[201, 'text']]);
    });

    it('answer CONNECT after the responses before it', async () => {
      const connect = requestText('example.com:80', { method: 'CONNECT' });
      const refused = refusal(501, 'There are no tunnels here');
      expect(await asked(connect)).to.deep.equal([refused]);
      expect(await asked(post('/slow') + connect)).to.deep.equal([[201, 'text'], refused]);
    });
  });
}

describe('client errors', () => {
  it('are problem details unless the service has a format', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    answerClientErrors(server);
    await once(server, 'listening');
    const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    const received = await exchange(url, GARBAGE);
    expect(received).to.match(
      /^HTTP\/1\.1 400 Bad Request\r\nDate: .*\r\nContent-Type: application\/problem\+json\r\n/,
    );
    expect(JSON.parse(responsesIn(received)[0]?.[1] ?? '')).to.deep.equal({
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      detail: 'The request is not valid HTTP',
    });
    server.close();
  });

  it('know the response that a connection is owed, and keep none of an idle connection', async () => {
    const server = createServer((request, response) => {
      expect(owed.latest(request.socket)).to.equal(response);
      sockets.push(request.socket);
      response.end();
    });
    const sockets: Socket[] = [];
    const owed = answerClientErrors(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const agent = new Agent({ keepAlive: true });
    const { port } = server.address() as AddressInfo;
    for (let count = 1; count <= 2; count += 1) {
      const [response] = (await once(get({ port, agent }), 'response')) as [IncomingMessage];
      await once(response.resume(), 'end');
      await until(
        'its response is forgotten',
        () => sockets.at(-1) !== undefined && owed.latest(sockets.at(-1) as Socket) === undefined,
      );
    }
    const [first, second] = sockets;
    expect([first === second, first?.destroyed]).to.deep.equal([true, false]);
    agent.destroy();
    server.close();
  });
});
