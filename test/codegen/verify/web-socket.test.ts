/** The WebSocket of verify, against the server of `ws`: frames of every size, in pieces, and every end of a connection. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { type WebSocket, WebSocketServer } from 'ws';
import { type WebSocketClient, openWebSocket } from '../../../src/codegen/verify/run/web-socket.js';

const PROTOCOL = { 'sec-websocket-protocol': 'test' };

describe('the WebSocket of verify', () => {
  const http = createServer((_request, response) => response.writeHead(404).end());
  let url: URL;
  /** What the server does with a connection. */
  let accepted: (socket: WebSocket) => void;
  before(async () => {
    const sockets = new WebSocketServer({ server: http, path: '/here', maxPayload: 1_000_000 });
    sockets.on('connection', (socket) => {
      accepted(socket);
    });
    await once(http.listen(0, '127.0.0.1'), 'listening');
    const { port } = http.address() as AddressInfo; // it listens on a port
    url = new URL(`http://127.0.0.1:${String(port)}/here`);
  });
  after(() => {
    http.close();
    http.closeAllConnections();
  });

  interface Opened {
    readonly client: WebSocketClient | undefined;
    readonly messages: readonly string[];
    /** The code and the reason. */
    readonly closed: Promise<readonly [number, string]>;
  }

  async function open(server: (socket: WebSocket) => void, headers = PROTOCOL, at = url): Promise<Opened> {
    accepted = server;
    const messages: string[] = [];
    let close: (end: readonly [number, string]) => void;
    const closed = new Promise<readonly [number, string]>((resolve) => (close = resolve));
    const client = await openWebSocket(at, headers, {
      message: (text) => void messages.push(text),
      closed: (code, reason) => {
        close([code, reason]);
      },
    });
    return { client, messages, closed };
  }

  for (const size of [0, 1, 125, 126, 65_535, 65_536, 200_000]) {
    it(`sends and gets ${String(size)} bytes`, async () => {
      const text = 'x'.repeat(size);
      const { client, messages, closed } = await open((socket) => {
        socket.on('message', (data: Buffer) => {
          socket.send(String(data));
          socket.close(4000, 'done');
        });
      });
      client?.send(text);
      expect(await closed).to.deep.equal([4000, 'done']);
      expect(messages).to.deep.equal([text]);
    });
  }

  it('gets what comes with the handshake, in fragments and between pings', async () => {
    const { messages, closed } = await open((socket) => {
      socket.send('é'.repeat(100), { fin: false });
      socket.ping('hello');
      socket.on('pong', (data) => {
        socket.send(String(data), { fin: true });
        socket.send(Buffer.from('bytes'));
        socket.close();
      });
    });
    expect(await closed).to.deep.equal([1005, '']);
    expect(messages).to.deep.equal([`${'é'.repeat(100)}hello`, 'bytes']);
  });

  it('tells of a connection that ends without a code', async () => {
    const { closed } = await open((socket) => {
      socket.terminate();
    });
    expect(await closed).to.deep.equal([1006, '']);
  });

  it('says that it is done', async () => {
    let code: Promise<unknown[]> | undefined;
    const { client } = await open((socket) => {
      code = once(socket, 'close');
    });
    client?.close();
    expect((await code)?.[0]).to.equal(1000);
  });

  it('finds no WebSocket where there is none, or none of the protocol', async () => {
    const none = (): void => undefined;
    const elsewhere = await open(none, PROTOCOL, new URL('/there', url));
    expect(elsewhere.client).to.equal(undefined);
    const other = createServer((_request, response) => response.end());
    await once(other.listen(0, '127.0.0.1'), 'listening');
    const { port } = other.address() as AddressInfo; // it listens on a port
    const plain = await open(none, PROTOCOL, new URL(`http://127.0.0.1:${String(port)}/`));
    expect(plain.client).to.equal(undefined);
    other.close();
    const refused = await open(none, PROTOCOL, new URL(`http://127.0.0.1:${String(port)}/`));
    expect(refused.client).to.equal(undefined);
    const unnamed = await open(none, {} as typeof PROTOCOL);
    expect(unnamed.client).to.not.equal(undefined);
    unnamed.client?.close();
  });
});
