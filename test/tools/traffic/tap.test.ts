/** Tests the proxy with raw sockets: every byte passes as it was sent, and a copy is recorded. */

import { once } from 'node:events';
import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { BodySample, SampleMemory } from '../../../src/runtime/observe/body-sample.js';
import { createTap } from '../../../src/tools/traffic/tap.js';
import type { RequestHead } from '../../../src/tools/traffic/connection-reader.js';
import { freePort } from '../../support/free-port.js';
import { until } from '../../support/until.js';

interface SeenExchange extends RequestHead {
  readonly status: number;
  readonly request: BodySample;
  readonly response: BodySample;
}

/** A server of bytes, and the proxy in front of it. */
interface Rig {
  /** Connects to the proxy. @returns both ends */
  readonly open: () => Promise<readonly [client: End, server: End]>;
  readonly exchanges: readonly SeenExchange[];
  readonly brokenOff: readonly RequestHead[];
}

/** One end of a connection with the bytes that it received. */
class End {
  text = '';
  bytes = 0;
  isEnded = false;
  isClosed = false;
  error: string | undefined;

  constructor(readonly socket: Socket) {
    socket.on('data', (chunk) => {
      this.bytes += chunk.length;
      if (this.bytes < 1_000_000) this.text += chunk.toString('latin1');
    });
    socket.on('end', () => (this.isEnded = true));
    socket.on('close', () => (this.isClosed = true));
    socket.on('error', (error: NodeJS.ErrnoException) => (this.error = error.code));
  }

  /** Sends bytes, and waits until the other end has them. */
  async send(text: string, to: End): Promise<void> {
    const due = to.text + text;
    this.socket.write(text, 'latin1');
    await until('the bytes arrive', () => to.text.length >= due.length);
    expect(to.text).to.equal(due);
  }
}

describe('proxy: the bytes', () => {
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

  async function rig(enforces = false): Promise<Rig> {
    const accepted: Socket[] = [];
    const target = createServer({ allowHalfOpen: true }, (socket) => accepted.push(socket));
    const url = new URL(`http://127.0.0.1:${String(await listening(target))}`);
    const exchanges: SeenExchange[] = [];
    const brokenOff: RequestHead[] = [];
    const memory = new SampleMemory(100_000);
    const enforced = enforces ? { needsBody: false, rejection: () => Promise.resolve(undefined) } : undefined;
    const tap = createTap({
      target: url,
      enforces,
      open: (head) => {
        const [request, response] = [new BodySample(1000, memory), new BodySample(1000, memory)];
        const end = (status: number): void => void exchanges.push({ ...head, status, request, response });
        return { request, response, enforced, end, breakOff: () => void brokenOff.push(head) };
      },
    });
    const port = await listening(tap);
    return {
      exchanges,
      brokenOff,
      async open() {
        const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
        closers.push(() => socket.destroy());
        const client = new End(socket);
        await until('the server has the connection', () => accepted.length > 0);
        return [client, new End(accepted.shift() as Socket)];
      },
    };
  }

  it('passes strange requests and responses byte by byte, and records them', async () => {
    const { open, exchanges } = await rig();
    const [client, server] = await open();
    await client.send(
      'PoST //a/../b%2f?x=%zz&x HTTP/1.1\r\nhOST:x\r\nX-A:  1 \r\nx-a: 2\r\nCookie: a=b\r\n',
      server,
    );
    await client.send(
      'Connection: keep-alive, X-A\r\nTransfer-Encoding: chunked\r\n\r\n5;ext="y"\r\nhello\r\n',
      server,
    );
    await client.send('0\r\nTrailer-A: 1\r\n\r\n', server);
    await server.send(
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 299 Odd  Reason\xe9\r\nset-cookie: a=1\r\nSet-Cookie: b=2\r\n',
      client,
    );
    await server.send('Transfer-Encoding: chunked\r\nTrailer: T\r\n\r\n2\r\nok\r\n0\r\nT: 1\r\n\r\n', client);
    await until('it is recorded', () => exchanges.length === 1);
    const [found] = exchanges;
    expect(found).to.deep.include({ method: 'PoST', target: '//a/../b%2f?x=%zz&x', status: 299 });
    expect(found?.headers.slice(0, 3)).to.deep.equal([
      ['hOST', 'x'],
      ['X-A', '1'],
      ['x-a', '2'],
    ]);
    expect(found?.request.text()).to.equal('hello');
    expect(found?.response.text()).to.equal('ok');
  });

  it('pairs pipelined requests with their responses, those to HEAD too', async () => {
    const { open, exchanges } = await rig();
    const [client, server] = await open();
    await client.send(
      'HEAD /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\n\r\nPOST /3 HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}',
      server,
    );
    const ok = (length: number, body: string): string =>
      `HTTP/1.1 200 OK\r\nContent-Length: ${String(length)}\r\n\r\n${body}`;
    await server.send(
      `${ok(9, '')}HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\n${ok(4, 'last')}`,
      client,
    );
    await until('all are recorded', () => exchanges.length === 3);
    expect(exchanges.map(({ method, status, response }) => [method, status, response.text()])).to.deep.equal([
      ['HEAD', 200, ''],
      ['GET', 304, ''],
      ['POST', 200, 'last'],
    ]);
  });

  it('passes other protocols after an upgrade, and records none of it', async () => {
    const { open, exchanges } = await rig();
    const [client, server] = await open();
    await client.send('GET /ws HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n', server);
    await server.send('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n', client);
    await client.send('\x81\x05GET /', server);
    await server.send('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', client);
    const [other, its] = await open();
    await other.send('\x16\x03\x01\x00 not HTTP at all\r\n\r\n', its);
    await its.send('\x15\x03', other);
    await sleep(20);
    expect(exchanges).to.deep.equal([]);
  });

  it('passes a response that it cannot read, and gives up what it had read of the connection', async () => {
    const { open, exchanges, brokenOff } = await rig();
    const [client, server] = await open();
    await client.send('POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}', server);
    await server.send('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n', client);
    await client.send('GET /2 HTTP/1.1\r\n\r\n', server);
    await server.send('HTTP/1.1 204 No Content\r\n\r\n', client);
    expect([exchanges, brokenOff.map(({ method }) => method)]).to.deep.equal([[], ['POST']]);
  });

  it('holds the beginning of each request that may be refused until its head has come', async () => {
    const { open } = await rig(true);
    const [client, server] = await open();
    for (let count = 1; count <= 2; count += 1) {
      const before = server.text;
      client.socket.write('GET / HTTP/1.1\r\nX-A:');
      // Nothing may arrive in this time.
      await sleep(20);
      expect(server.text).to.equal(before);
      client.socket.write(' 1\r\n\r\n');
      await until(
        'the request arrives',
        () => server.text === 'GET / HTTP/1.1\r\nX-A: 1\r\n\r\n'.repeat(count),
      );
    }
  });

  it('ends one direction at a time, and records a response that ends with the connection', async () => {
    const { open, exchanges } = await rig();
    const [client, server] = await open();
    await client.send('GET / HTTP/1.0\r\n\r\n', server);
    client.socket.end();
    await until('the server sees the end', () => server.isEnded);
    await server.send('HTTP/1.0 200 OK\r\n\r\nuntil the end', client);
    server.socket.end();
    await until('both are closed', () => client.isEnded && server.isClosed);
    expect(exchanges.map(({ response }) => response.text())).to.deep.equal(['until the end']);
  });

  for (const side of ['client', 'server'] as const) {
    it(`aborts the connection when the ${side} does`, async () => {
      const { open, exchanges } = await rig();
      const [client, server] = await open();
      await client.send('POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhe', server);
      await server.send('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe', client);
      const [one, other] = side === 'client' ? [client, server] : [server, client];
      one.socket.resetAndDestroy();
      await until('the other side is closed', () => other.isClosed);
      expect(other.error).to.equal('ECONNRESET');
      expect(exchanges).to.deep.equal([]);
    });
  }

  it('reads no more than the other side takes', async () => {
    const { open } = await rig();
    const [client, server] = await open();
    client.socket.pause();
    const piece = Buffer.alloc(65_536);
    server.socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${String(2 ** 31)}\r\n\r\n`);
    let sent = 0;
    while (sent < 2 ** 31) {
      sent += piece.length;
      if (server.socket.write(piece)) continue;
      const drained = await Promise.race([
        once(server.socket, 'drain').then(() => true),
        sleep(200).then(() => false),
      ]);
      if (!drained) break;
    }
    // The buffers of the sockets are full: of the system, and of this process.
    expect(sent).to.be.below(40_000_000);
    const before = client.bytes;
    client.socket.resume();
    await until('the rest arrives', () => client.bytes > Math.max(before, sent / 2));
  });

  it('answers 502 when no server listens', async () => {
    const url = new URL(`http://127.0.0.1:${String(await freePort())}`);
    const port = await listening(createTap({ target: url, open: () => undefined }));
    const response = await fetch(`http://127.0.0.1:${String(port)}/`);
    expect(response.status).to.equal(502);
    expect(response.headers.get('content-type')).to.equal('application/problem+json');
    const { detail, ...rest } = (await response.json()) as { readonly detail: string };
    expect(rest).to.deep.equal({ type: 'about:blank', title: 'Bad Gateway', status: 502 });
    expect(detail).to.match(/^No server answers at 127\.0\.0\.1:\d+: connect ECONNREFUSED .*$/);
  });

  it('holds a bounded copy, whatever passes', async () => {
    const { open, exchanges } = await rig();
    const [client, server] = await open();
    client.socket.write(`POST /large HTTP/1.1\r\nContent-Length: 50000000\r\n\r\n`);
    const piece = Buffer.alloc(1_000_000, 'x');
    for (let sent = 0; sent < 50; sent += 1) {
      if (!client.socket.write(piece)) await once(client.socket, 'drain');
    }
    await until('the body arrives', () => server.bytes > 50_000_000);
    await server.send('HTTP/1.1 204 No Content\r\n\r\n', client);
    await until('it is recorded', () => exchanges.length === 1);
    expect(exchanges[0]?.request).to.include({ isCut: true, size: 1000 });
  });
});
