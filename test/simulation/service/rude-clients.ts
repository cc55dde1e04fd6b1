/** Clients that stall within a request, close half of a connection, send two requests at once, or leave. No other client may notice them. */

import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { Fault } from '../calls.js';
import type { Random } from '../random.js';

const get = 'GET /api/posts HTTP/1.1\r\nHost: localhost\r\n\r\n';
const query = JSON.stringify({ query: '{ posts { id title content author { id } } }' });
const post = (path: string, body: string, length = body.length): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${String(length)}\r\n\r\n${body}`;

/** What a client sends; each ends in its own way. No request of theirs that is whole changes anything. */
const behaviours = {
  'stalls within a head': (socket) => socket.write(get.slice(0, 20)),
  'stalls within a body': (socket) => socket.write(post('/api/users', '{"name":"a', 1000)),
  'leaves within a body': (socket) => {
    socket.write(post('/api/users', '{"name":"a', 1000));
    setImmediate(() => socket.destroy());
  },
  'resets within a body': (socket) => {
    socket.write(post('/graphql', query.slice(0, 20), query.length));
    setImmediate(() => socket.resetAndDestroy());
  },
  'closes its side after a request': (socket) => socket.end(get),
  'closes its side within a body': (socket) => socket.end(post('/api/orders', '{"items":[', 1000)),
  'sends what is no HTTP': (socket) => socket.write('\u0016\u0003\u0001 hello\r\n\r\n'),
  'reads nothing': (socket) => {
    socket.pause();
    for (let count = 0; count < 20; count += 1) socket.write(post('/graphql', query));
  },
  'leaves before the answer': (socket) => {
    socket.write(post('/graphql', query));
    setImmediate(() => socket.destroy());
  },
  'begins a WebSocket and is silent': (socket) =>
    socket.write(
      'GET /graphql HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n',
    ),
} as const satisfies Record<string, (socket: Socket) => unknown>;

const kinds = Object.keys(behaviours) as (keyof typeof behaviours)[];

export class RudeClients {
  readonly #sockets = new Set<Socket>();

  /** One more comes. @returns what it does */
  async come(random: Random, url: string): Promise<string> {
    if (random.chance(0.2)) return await this.#sendTwo(url);
    const kind = random.pick(kinds) ?? 'reads nothing';
    const socket = await this.#connect(url);
    behaviours[kind](socket);
    return kind;
  }

  /** Both of two requests that are sent at once are answered, in their order. */
  async #sendTwo(url: string): Promise<string> {
    const socket = await this.#connect(url);
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    socket.write(`${get.replace('/api/posts', '/healthz')}${get.replace('/api/posts', '/api/nothing')}`);
    const isWhole = (): boolean => text.split('HTTP/1.1 ').length > 2 && text.includes('Not found');
    while (!isWhole() && !socket.closed) await Promise.race([once(socket, 'data'), once(socket, 'close')]);
    socket.destroy();
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status).join();
    if (statuses !== '200,404') throw new Fault(`two requests at once were answered ${statuses}`);
    return 'sends two at once';
  }

  async #connect(url: string): Promise<Socket> {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    this.#sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => this.#sockets.delete(socket));
    await once(socket, 'connect');
    return socket;
  }

  /** All leave. */
  leave(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}
