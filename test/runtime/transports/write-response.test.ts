/** How responses are written to `node:http`: their headers among others, and how many writes they take. */

import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import * as http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import * as consumers from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import Koa from 'koa';
import type { HttpRequest, HttpResponse } from '../../../src/runtime/http/message.js';
import { koaTransport, sendPastKoa } from '../../../src/runtime/transports/koa.js';
import { nodeTransport } from '../../../src/runtime/transports/node.js';
import { writeResponse } from '../../../src/runtime/transports/node/write-response.js';
import { type HttpAnswer, send } from '../../support/send.js';
import { exchange } from '../../support/wire.js';
import { listenTo } from './listeners.js';

const report = (error: unknown): void => {
  throw error;
};

/** Asks a server of this listener once. */
async function ask(listener: RequestListener): Promise<HttpAnswer> {
  const server = await listenTo(listener);
  try {
    return await send(server.url, { method: 'GET', path: '/' });
  } finally {
    await server.close();
  }
}

/** Answers with the path, `/slow` later. */
async function pathHandler({ path }: HttpRequest): Promise<HttpResponse> {
  if (path === '/slow') await sleep(50);
  return { status: 200, headers: {}, body: path.slice(1) };
}

function koaListener(middleware: Koa.Middleware): RequestListener {
  const answer = new Koa().use(middleware).callback();
  return (request, response) => void answer(request, response);
}

/** Counts what a response's socket is given to write: pieces that leave in one go count once. */
function countWrites(outgoing: ServerResponse): { readonly count: () => number } {
  const { socket } = outgoing;
  if (socket === null) throw new Error('the response has no socket');
  let count = 0;
  const write = socket._write.bind(socket);
  const writev = socket._writev?.bind(socket);
  socket._write = (...parameters) => {
    count += 1;
    write(...parameters);
  };
  socket._writev = (pieces, ...others) => {
    count += pieces.length;
    writev?.(pieces, ...others);
  };
  return { count: () => count };
}

const BODIES: readonly (readonly [name: string, body: string | Uint8Array, pieces: number])[] = [
  ['a short text', 'hello', 1],
  ['a long text', 'hello'.repeat(10_000), 1],
  ['a text that is not ASCII', 'h€llö 👋'.repeat(10_000), 1],
  ['bytes', new TextEncoder().encode('hello'), 2],
];

describe('a response behind node:http', () => {
  for (const [name, body, pieces] of BODIES) {
    it(`leaves in one go: ${name}`, async () => {
      let writes = Number.NaN;
      const handle = nodeTransport(() => ({ status: 200, headers: {}, body }));
      const answer = await ask((incoming, outgoing) => {
        const { count } = countWrites(outgoing);
        outgoing.once('finish', () => (writes = count()));
        handle(incoming, outgoing);
      });
      const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
      expect(answer.text).to.equal(text);
      expect(answer.headers['content-length']).to.equal(String(Buffer.byteLength(text)));
      expect(answer.headers).not.to.have.property('transfer-encoding');
      expect(writes).to.equal(pieces);
    });
  }

  it('is the same over HTTP/2, whose responses have another way to be written', async () => {
    const headers = { 'Content-Type': 'text/plain', 'Set-Cookie': ['a=1', 'b=2'] };
    const listener = nodeTransport(() => ({ status: 201, headers, body: 'hello' }));
    // Its messages have what the transport uses of those of HTTP/1.
    const server = http2.createServer(listener as unknown as Parameters<typeof http2.createServer>[0]);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const client = http2.connect(`http://127.0.0.1:${String(port)}`);
    try {
      const request = client.request({ ':path': '/' });
      const [received] = (await once(request, 'response')) as [http2.IncomingHttpHeaders];
      expect(received).to.include({ ':status': 201, 'content-type': 'text/plain', 'content-length': '5' });
      expect(received['set-cookie']).to.deep.equal(['a=1', 'b=2']);
      expect(await consumers.text(request)).to.equal('hello');
    } finally {
      client.close();
      server.close();
    }
  });

  it('leaves in one go behind Koa too, with what middleware in front made of it', async () => {
    let writes = Number.NaN;
    const app = new Koa();
    app.use(async (context, next) => {
      const { count } = countWrites(context.res);
      context.res.once('finish', () => (writes = count()));
      await next();
      context.body = `${String(context.body)}, Ada`;
    });
    app.use(koaTransport(() => ({ status: 200, headers: {}, body: 'hello' })));
    const answer = await ask((request, response) => void app.callback()(request, response));
    expect([answer.text, answer.headers['content-length'], writes]).to.deep.equal(['hello, Ada', '10', 1]);
  });

  for (const [name, listener] of Object.entries({
    'node:http': nodeTransport(pathHandler),
    Koa: koaListener(koaTransport(pathHandler)),
    'Koa, with sendPastKoa': koaListener(koaTransport(pathHandler, { send: sendPastKoa })),
  })) {
    it(`waits for the response before it where requests are pipelined, behind ${name}`, async () => {
      const server = await listenTo(listener);
      try {
        const head = 'HTTP/1.1\r\nHost: localhost\r\n';
        const requests = `GET /slow ${head}\r\nGET /fast ${head}\r\nGET / ${head}Connection: close\r\n\r\n`;
        const received = await exchange(server.url, requests);
        const bodies = received.split('\r\n\r\n').map((part) => part.split('HTTP', 1)[0]);
        expect(bodies.slice(1)).to.deep.equal(['slow', 'fast', '']);
      } finally {
        await server.close();
      }
    });
  }

  it('behind Koa passes through an `end` that middleware in front has put in place', async () => {
    const ended: unknown[] = [];
    const app = new Koa();
    app.use((context, next) => {
      const { res } = context;
      const end = res.end.bind(res) as (...parameters: readonly unknown[]) => ServerResponse;
      res.end = (...parameters: readonly unknown[]) => {
        ended.push(...parameters);
        return end(...parameters);
      };
      return next();
    });
    app.use(koaTransport(() => ({ status: 200, headers: {}, body: 'hello' })));
    const answer = await ask((request, response) => void app.callback()(request, response));
    expect([answer.text, ended]).to.deep.equal(['hello', ['hello']]);
  });
});

describe('writeResponse', () => {
  /** @param others - headers beside the response's own, in turn with their values */
  async function written(
    response: HttpResponse,
    others: string[],
    before: Readonly<Record<string, string>> = {},
  ): Promise<HttpAnswer> {
    return await ask((incoming, outgoing) => {
      for (const [name, value] of Object.entries(before)) outgoing.setHeader(name, value);
      writeResponse(outgoing, incoming.method ?? 'GET', response, report, others);
    });
  }

  const response = { status: 200, headers: { Vary: 'Accept', 'X-Own': '1', 'Set-Cookie': ['a=1', 'b=2'] } };

  for (const [where, before] of [
    ['', undefined],
    [' beside headers that were set before', { 'X-Before': '0' }],
  ] as const) {
    it(`adds other headers${where}, which the response's own override, and joins Vary`, async () => {
      const others = ['X-Other', '2', 'Vary', 'Origin', 'X-Own', '3'];
      const { headers, status } = await written(response, others, before);
      expect(status).to.equal(200);
      expect(headers).to.include({ vary: 'Origin, Accept', 'x-own': '1', 'x-other': '2', ...lower(before) });
      expect(headers['set-cookie']).to.deep.equal(['a=1', 'b=2']);
      expect(headers['content-length']).to.equal('0');
    });
  }

  for (const [where, before] of [
    ['', undefined],
    [' that were set before', { 'Set-Cookie': 'session=1' }],
  ] as const) {
    it(`adds its cookies to those of others${where}`, async () => {
      const others = before === undefined ? ['Set-Cookie', 'session=1'] : [];
      const { headers } = await written(response, others, before);
      expect(headers['set-cookie']).to.deep.equal(['session=1', 'a=1', 'b=2']);
    });
  }

  it('behind Koa adds its cookies to those of middleware in front', async () => {
    const app = new Koa();
    app.use((context, next) => {
      context.cookies.set('session', '1');
      return next();
    });
    app.use(koaTransport(() => response));
    const { headers } = await ask((request, outgoing) => void app.callback()(request, outgoing));
    expect(headers['set-cookie']).to.deep.equal(['session=1; path=/; httponly', 'a=1', 'b=2']);
  });

  it('refuses a header that would end the line, and a 500 can still be sent', async () => {
    const { status, text } = await ask((_incoming, outgoing) => {
      try {
        writeResponse(outgoing, 'GET', { status: 200, headers: { 'X-A': 'a\r\nX-B: b' } }, report);
      } catch (error) {
        writeResponse(outgoing, 'GET', { status: 500, headers: {}, body: (error as Error).message }, report);
      }
    });
    expect([status, text]).to.deep.equal([500, 'Invalid character in header content ["X-A"]']);
  });
});

function lower(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
