/** Servers that take a request and do not answer it as HTTP has it: each by what it does with its connections. */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

const head = 'HTTP/1.1 200 OK\r\n';
const trickle = (socket: Socket, text: string): void => {
  const timer = setInterval(() => socket.write(text), 5);
  socket.once('close', () => clearInterval(timer));
};

/** What each does once a request has begun to arrive; `tls` for one that never answers the handshake. */
const behaviours = {
  'answers 101': (socket) =>
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
  'answers 101 and hangs up': (socket) =>
    socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
  'answers 101 without what it switches to': (socket) =>
    socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
  'answers nothing': () => undefined,
  'hangs up': (socket) => socket.end(),
  'resets the connection': (socket) => socket.resetAndDestroy(),
  'sends headers without end': (socket) => {
    socket.write(head);
    let count = 0;
    const timer = setInterval(() => socket.write(`x-${String((count += 1))}: x\r\n`), 5);
    socket.once('close', () => clearInterval(timer));
  },
  'sends headers that are too long': (socket) => socket.write(`${head}x: ${'x'.repeat(100_000)}`),
  'sends one interim answer after the other': (socket) => trickle(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n'),
  'stops within its headers': (socket) => socket.write(head),
  'hangs up within its headers': (socket) => socket.end(head),
  'closes its side before it answers': (socket) => socket.pause().end(),
  'speaks another protocol': (socket) => socket.write('220 mail.example.com ESMTP\r\n'),
  'never answers the handshake of TLS': () => undefined,
} as const satisfies Record<string, (socket: Socket) => unknown>;

export const hostileBehaviours = Object.keys(behaviours) as (keyof typeof behaviours)[];

export interface HostileReceiver {
  readonly url: string;
  /** Its open connections. */
  readonly sockets: ReadonlySet<Socket>;
  readonly stop: () => void;
}

/** Starts a server on loopback. */
export async function hostileReceiver(behaviour: keyof typeof behaviours): Promise<HostileReceiver> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    socket.once('data', () => behaviours[behaviour](socket));
    socket.once('end', () => socket.end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const protocol = behaviour.endsWith('TLS') ? 'https' : 'http';
  return {
    url: `${protocol}://127.0.0.1:${String((server.address() as AddressInfo).port)}/hooks`,
    sockets,
    stop: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
