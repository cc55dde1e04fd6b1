/** Tests what the proxy makes of each kind of exchange, with raw sockets on both sides. */

import { once } from 'node:events';
import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net';
import { expect } from 'chai';
import { BodySample, SampleMemory } from '../../../src/runtime/observe/body-sample.js';
import type { RequestHead } from '../../../src/tools/traffic/heads.js';
import { passingServer } from '../../../src/tools/traffic/passing-server.js';
import { freePort } from '../../support/free-port.js';
import { until } from '../../support/until.js';

interface SeenExchange extends RequestHead {
  readonly status: number;
  readonly request: string;
  readonly response: string;
  readonly isRequestCut: boolean;
}

/** One end of a connection with the bytes that it received. */
class End {
  text = '';
  bytes = 0;
  isClosed = false;
  error: string | undefined;

  constructor(readonly socket: Socket) {
    socket.on('data', (chunk) => {
      this.bytes += chunk.length;
      if (this.bytes < 1_000_000) this.text += chunk.toString('latin1');
    });
    socket.on('close', () => (this.isClosed = true));
    socket.on('error', (error: NodeJS.ErrnoException) => (this.error = error.code));
  }

  send(text: string): void {
    this.socket.write(text, 'latin1');
  }

  gets(text: string): Promise<void> {
    return until(`${JSON.stringify(text)} arrives`, () => this.text.includes(text));
  }
}

const head = (line: string, ...headers: readonly string[]): string =>
  [line, 'Host: x', ...headers, '', ''].join('\r\n');
const ok = (body: string, ...headers: readonly string[]): string =>
  ['HTTP/1.1 200 OK', `Content-Length: ${String(body.length)}`, ...headers, '', body].join('\r\n');

describe('proxy: exchanges', () => {
  const closers: (() => void)[] = [];
  afterEach(() => {
    for (const close of closers.splice(0)) close();
  });

  async function listening(server: Server): Promise<number> {
    const sockets = new Set<Socket>();
    server.on('connection', (socket) => sockets.add(socket));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    closers.push(() => {
      server.close();
      for (const socket of sockets) socket.destroy();
    });
    return (server.address() as AddressInfo).port;
  }

  /** A server of bytes, and the proxy in front of it, which refuses bodies with `bad` if it enforces. */
  async function rig(enforces = false, options: Partial<Parameters<typeof passingServer>[0]> = {}) {
    const accepted: End[] = [];
    const behind = createServer({ allowHalfOpen: true }, (socket) => accepted.push(new End(socket)));
    const exchanges: SeenExchange[] = [];
    const brokenOff: RequestHead[] = [];
    const memory = new SampleMemory(100_000);
    const port = await listening(
      passingServer({
        target: new URL(`http://127.0.0.1:${String(await listening(behind))}`),
        open: (seen) => {
          const [request, response] = [new BodySample(1000, memory), new BodySample(1000, memory)];
          const rejection = () => {
            const refused = { status: 400, headers: {}, body: 'refused' };
            return Promise.resolve(request.text().includes('bad') ? refused : undefined);
          };
          return {
            ...{ request, response },
            enforced: enforces ? { needsBody: true, rejection } : undefined,
            end: (status) =>
              void exchanges.push({
                ...{ ...seen, status, request: request.text(), response: response.text() },
                isRequestCut: request.isCut,
              }),
            breakOff: () => void brokenOff.push(seen),
          };
        },
        ...options,
      }),
    );
    const open = async (): Promise<End> => {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
      closers.push(() => socket.destroy());
      await once(socket, 'connect');
      return new End(socket);
    };
    const server = async (index = 0): Promise<End> => {
      await until('the server has a connection', () => accepted.length > index);
      return accepted[index] as End;
    };
    return { open, server, accepted, exchanges, brokenOff };
  }

  it('passes the order, the names and the repetitions of headers, and writes framing, trailers and hops anew', async () => {
    const { open, server, exchanges } = await rig();
    const client = await open();
    client.send(
      'POST //a/../b%2f?x=%zz&x HTTP/1.1\r\nhOST:x\r\nX-A:  1 \r\nx-a: 2\r\nX-Hop: 1\r\nConnection: keep-alive, X-Hop\r\nTE: trailers\r\n',
    );
    client.send(
      'Trailer: T\r\nTransfer-Encoding: Chunked\r\n\r\n05;ext="y"\r\nhello\r\n0\r\nT: 1\r\nHost: y\r\n\r\n',
    );
    const behind = await server();
    await behind.gets('\r\n\r\n5\r\nhello\r\n0\r\nT: 1\r\n\r\n');
    expect(behind.text.split('\r\n').slice(0, 7)).to.deep.equal([
      'POST //a/../b%2f?x=%zz&x HTTP/1.1',
      'hOST: x',
      'X-A: 1',
      'x-a: 2',
      'Trailer: T',
      'Transfer-Encoding: chunked',
      'Connection: keep-alive',
    ]);
    behind.send(
      'HTTP/1.1 299 Odd  Reason\xe9\r\nset-cookie: a=1\r\nSet-Cookie: b=2\r\nX-Hop: 1\r\nConnection: x-hop\r\nTransfer-Encoding: chunked\r\nTrailer: T\r\n\r\n2\r\nok\r\n0\r\nT: 1\r\n\r\n',
    );
    await client.gets('2\r\nok\r\n0\r\nT: 1\r\n\r\n');
    expect(client.text).to.match(
      /^HTTP\/1\.1 299 Odd {2}Reason\xe9\r\nset-cookie: a=1\r\nSet-Cookie: b=2\r\nTrailer: T\r\nConnection: keep-alive\r\nKeep-Alive: timeout=75\r\nTransfer-Encoding: chunked\r\n\r\n/,
    );
    await until('it is recorded', () => exchanges.length === 1);
    expect(exchanges[0]).to.include({
      target: '//a/../b%2f?x=%zz&x',
      status: 299,
      request: 'hello',
      response: 'ok',
    });
  });

  it('handles pipelined requests one after the other, those to HEAD and answers without a body too', async () => {
    const { open, server, exchanges } = await rig();
    const client = await open();
    client.send(
      `${head('HEAD /1 HTTP/1.1')}${head('GET /2 HTTP/1.1')}${head('POST /3 HTTP/1.1', 'Content-Length: 2')}{}`,
    );
    const behind = await server();
    await behind.gets('HEAD /1');
    expect(behind.text).not.to.include('/2');
    behind.send('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n');
    await behind.gets('GET /2');
    behind.send('HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\n');
    await behind.gets('{}');
    behind.send('HTTP/1.1 204 No Content\r\n\r\n');
    await client.gets('204 No Content');
    await until('all are recorded', () => exchanges.length === 3);
    expect(exchanges.map(({ method, status, response }) => [method, status, response])).to.deep.equal([
      ['HEAD', 200, ''],
      ['GET', 304, ''],
      ['POST', 204, ''],
    ]);
    expect(client.text).to.match(/^HTTP\/1\.1 200 OK\r\nContent-Length: 9\r\n.*304 .*204 /s);
  });

  it('checks whole requests, and reads no line that ends in a bare LF', async () => {
    const { open, accepted } = await rig(true);
    for (const bytes of [
      `${head('POST / HTTP/1.1', 'Transfer-Encoding: chunked')}2\r\n{}\r\n0\r\nT: 1\n\nGET /admin HTTP/1.1\r\nHost: x\r\n\r\n\r\n\r\n`,
      `${head('POST / HTTP/1.1', 'Transfer-Encoding: chunked', 'Content-Length: 4')}0\r\n\r\nGET /`,
      head('GET / HTTP/1.1', 'Host: y'),
      head('GET /things# HTTP/1.1'),
      head('GET http://u@x/ HTTP/1.1'),
      head('POST / HTTP/1.1', 'Transfer-Encoding: gzip, chunked'),
      head('POST / HTTP/1.0', 'Transfer-Encoding: chunked'),
      head('CONNECT x:80 HTTP/1.1'),
      head('GET / HTTP/1.1', `X: ${'x'.repeat(70_000)}`),
    ]) {
      const client = await open();
      client.send(bytes);
      await client.gets('application/problem+json');
      expect(client.text.slice(9, 12), bytes.slice(0, 60)).to.match(/400|431|501/);
    }
    expect(accepted).to.deep.equal([]);
  });

  it('answers a request that is refused, and passes the next one of the connection', async () => {
    const { open, server } = await rig(true);
    const client = await open();
    client.send(`${head('POST / HTTP/1.1', 'Content-Length: 3')}bad`);
    await client.gets('refused');
    client.send(head('POST /2 HTTP/1.1', 'Content-Length: 4', 'Expect: 100-continue'));
    // The gate asks for the body, and the server need not.
    await client.gets('100 Continue');
    client.send('good');
    const behind = await server();
    await behind.gets('good');
    expect(behind.text)
      .to.match(/^POST \/2 /)
      .and.not.include('Expect');
    behind.send(ok('fine'));
    await client.gets('fine');
  });

  it('passes informational responses, but none to HTTP/1.0', async () => {
    const { open, server } = await rig();
    const client = await open();
    client.send(head('POST / HTTP/1.1', 'Expect: 100-continue', 'Content-Length: 2'));
    const behind = await server();
    await behind.gets('Expect: 100-continue');
    const hint = 'HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload, </b>; rel=preload\r\n\r\n';
    behind.send(`HTTP/1.1 102 Processing\r\n\r\n${hint}HTTP/1.1 100 Continue\r\n\r\n`);
    await client.gets('HTTP/1.1 100 Continue\r\n\r\n');
    expect(client.text)
      .to.include('102 Processing')
      .and.include('Link: </a>; rel=preload, </b>; rel=preload\r\n');
    client.send('{}');
    await behind.gets('{}');
    behind.send(ok('fine'));
    await client.gets('fine');
    const old = await open();
    old.send('GET /old HTTP/1.0\r\n\r\n');
    await behind.gets('/old');
    expect(behind.text).to.match(/GET \/old HTTP\/1\.1\r\nHost: 127\.0\.0\.1:\d+\r\n/);
    behind.send(`${hint}HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nold\r\n0\r\n\r\n`);
    await until('the connection ends', () => old.isClosed || old.text.endsWith('old'));
    expect(old.text).to.match(/^HTTP\/1\.1 200 OK\r\nConnection: close\r\n\r\nold$/);
  });

  it('passes WebSockets after 101, and other protocols not at all', async () => {
    const { open, server, accepted, exchanges } = await rig();
    const client = await open();
    client.send(`${head('GET /ws HTTP/1.1', 'Connection: Upgrade', 'Upgrade: websocket')}early`);
    const behind = await server();
    await behind.gets('Upgrade: websocket');
    expect(behind.text).not.to.include('early');
    behind.send('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n\x81');
    await client.gets('Upgrade: websocket\r\n\r\n\x81');
    await behind.gets('early');
    client.send('\xff GET /');
    await behind.gets('\xff GET /');
    client.socket.end();
    await until('the server sees the end', () => behind.socket.readableEnded);
    const refused = await open();
    refused.send(head('GET /ws HTTP/1.1', 'Connection: Upgrade', 'Upgrade: websocket'));
    (await server(1)).send(ok('no'));
    await refused.gets('no');
    const other = await open();
    other.send(
      `${head('POST /h2c HTTP/1.1', 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: A', 'Content-Length: 2')}{}`,
    );
    await until('it is passed', () => accepted.some(({ text }) => text.includes('/h2c')));
    const last = accepted.find(({ text }) => text.includes('/h2c'));
    await last?.gets('{}');
    expect(last?.text).not.to.match(/upgrade|http2/i);
    last?.send(ok('plain'));
    await other.gets('plain');
    await until('they are recorded', () => exchanges.length === 2);
  });

  it('passes events as they come, and stops them when the client goes', async () => {
    const { open, server } = await rig();
    const client = await open();
    client.send(head('GET /events HTTP/1.1'));
    const behind = await server();
    await behind.gets('/events');
    behind.send('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n');
    await client.gets('text/event-stream');
    behind.send('9\r\ndata: 1\n\n\r\n');
    await client.gets('data: 1');
    client.socket.end();
    await until('the server sees it', () => behind.socket.readableEnded || behind.isClosed);
  });

  it('takes a client that ends its side before the answer for one that has gone', async () => {
    const { open, server, exchanges, brokenOff } = await rig();
    const client = await open();
    client.send(head('GET / HTTP/1.1'));
    const behind = await server();
    await behind.gets('GET /');
    client.socket.end();
    await until('the server sees the end', () => behind.socket.readableEnded || behind.isClosed);
    expect([exchanges.length, brokenOff.length]).to.deep.equal([0, 1]);
  });

  for (const version of ['1.0', '1.1']) {
    it(`breaks off an answer that breaks off, to HTTP/${version}`, async () => {
      const { open, server, brokenOff } = await rig();
      const client = await open();
      client.send(head(`GET / HTTP/${version}`));
      const behind = await server();
      await behind.gets('GET /');
      behind.send('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n');
      await client.gets('he');
      behind.socket.end();
      await until('the client is closed', () => client.isClosed);
      expect([client.error, brokenOff.length]).to.deep.equal(['ECONNRESET', 1]);
    });
  }

  it('breaks off a request that breaks off', async () => {
    const { open, server, brokenOff } = await rig();
    const client = await open();
    client.send(`${head('POST / HTTP/1.1', 'Transfer-Encoding: chunked')}2\r\nhe\r\n`);
    const behind = await server();
    await behind.gets('he');
    client.socket.resetAndDestroy();
    await until('the server is closed', () => behind.isClosed || behind.socket.readableEnded);
    expect(behind.text).not.to.include('0\r\n\r\n');
    await until('it is broken off', () => brokenOff.length === 1);
  });

  it('repeats a request without a body and a second effect where the server closed an idle connection', async () => {
    const { open, server, accepted } = await rig();
    const client = await open();
    const exchange = async (index: number, request: string): Promise<void> => {
      client.send(request);
      await (await server(index)).gets(request.slice(0, 8));
      (await server(index)).send(ok(`answer ${String(index)}`));
      await client.gets(`answer ${String(index)}`);
    };
    await exchange(0, head('GET /1 HTTP/1.1'));
    // It closes the connection when the next request comes, without an answer.
    const closeNext = (index: number) =>
      accepted[index]?.socket.once('data', () => accepted[index]?.socket.resetAndDestroy());
    closeNext(0);
    await exchange(1, head('GET /2 HTTP/1.1'));
    await exchange(2, head('GET /3 HTTP/1.1'));
    for (const [index, request] of [
      `${head('PUT /4 HTTP/1.1', 'Content-Length: 2')}{}`,
      head('POST /5 HTTP/1.1', 'Content-Length: 0'),
    ].entries()) {
      closeNext(index + 2);
      const other = await open();
      other.send(request);
      await other.gets('502 Bad Gateway');
      expect(accepted.length).to.equal(index + 3);
      await exchange(index + 3, head('GET /6 HTTP/1.1'));
    }
  });

  it('passes an answer on that comes before the whole request', async () => {
    const { open, server, exchanges } = await rig();
    const client = await open();
    client.send(head('POST / HTTP/1.1', 'Expect: 100-continue', 'Content-Length: 9'));
    const behind = await server();
    await behind.gets('Expect: 100-continue');
    behind.send('HTTP/1.1 100 Continue\r\n\r\n');
    await client.gets('100 Continue');
    client.send('half');
    await behind.gets('half');
    behind.send(ok('early'));
    await client.gets('early');
    // The rest of the body could be taken for a request.
    expect(client.text).to.include('Connection: close');
    client.socket.end();
    await until('it is recorded', () => exchanges.length === 1);
    expect(exchanges[0]).to.include({ request: 'half', isRequestCut: true });
  });

  it('reads the rest of a request that the server answers and closes before it has read it', async () => {
    const { open, server, exchanges } = await rig();
    const client = await open();
    client.send(`${head('POST / HTTP/1.1', 'Content-Length: 9')}half`);
    const behind = await server();
    await behind.gets('half');
    behind.send(ok('early', 'Connection: close'));
    behind.socket.end();
    await client.gets('early');
    client.send(`-more${head('GET /2 HTTP/1.1')}`);
    await (await server(1)).gets('GET /2');
    (await server(1)).send(ok('second'));
    await client.gets('second');
    await until('both are recorded', () => exchanges.length === 2);
  });

  it('gives a server a time to connect and to answer', async () => {
    const { open } = await rig(false, { deadlines: { answer: 50 } });
    const client = await open();
    client.send(head('GET / HTTP/1.1'));
    await client.gets('no answer within 0.05 s');
    expect(client.text).to.match(/^HTTP\/1\.1 504 /);
    // A TLS handshake that nothing answers is a connection that is never ready.
    const mute = createServer();
    const target = new URL(`https://127.0.0.1:${String(await listening(mute))}`);
    const silent = await (await rig(false, { target, deadlines: { connect: 50 } })).open();
    silent.send(head('GET / HTTP/1.1'));
    await silent.gets('no connection within 0.05 s');
  });

  it('reads no more than the other side takes', async () => {
    const { open, server } = await rig();
    const client = await open();
    client.send(head('GET / HTTP/1.1'));
    const behind = await server();
    await behind.gets('GET /');
    client.socket.pause();
    const piece = Buffer.alloc(65_536);
    behind.send(`HTTP/1.1 200 OK\r\nContent-Length: ${String(2 ** 31)}\r\n\r\n`);
    let sent = 0;
    // The buffers of the sockets are full when nothing drains: those of the system, and of this process.
    for (let isFull = false; !isFull && sent < 2 ** 31; sent += piece.length) {
      if (behind.socket.write(piece)) continue;
      isFull = await Promise.race([
        once(behind.socket, 'drain').then(() => false),
        new Promise<boolean>((resolve) => setTimeout(() => resolve(true), 200)),
      ]);
    }
    expect(sent).to.be.below(40_000_000);
    const before = client.bytes;
    client.socket.resume();
    await until('the rest arrives', () => client.bytes > Math.max(before, sent / 2));
  });

  for (const line of [
    'HTTP/1.1 099 Low',
    'HTTP/1.1 200 O\x01K',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked',
    'no HTTP',
  ]) {
    it(`answers 502 to ${JSON.stringify(line)}`, async () => {
      const { open, server } = await rig();
      const client = await open();
      client.send(head('GET / HTTP/1.1'));
      const behind = await server();
      await behind.gets('GET /');
      behind.send(`${line}\r\nContent-Length: 0\r\n\r\n`.replace(/(chunked)\r\n.*/, '$1\r\n'));
      await client.gets('502 Bad Gateway');
    });
  }

  it('answers 502 when no server listens', async () => {
    const { open } = await rig(false, { target: new URL(`http://127.0.0.1:${String(await freePort())}`) });
    const client = await open();
    client.send(head('GET / HTTP/1.1'));
    await client.gets('"detail":"No server answers at 127.0.0.1:');
    expect(client.text).to.match(
      /^HTTP\/1\.1 502 Bad Gateway\r\nContent-Type: application\/problem\+json\r\n/i,
    );
  });
});
