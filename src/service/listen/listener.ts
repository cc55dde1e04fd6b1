/** The listening socket of the service: opens it, and closes it without cutting off requests in flight. */

import { once } from 'node:events';
import { IncomingMessage, type Server, createServer } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { RestEngine } from 'concordat';
import { type OwedResponses, answerClientErrors } from 'concordat/node';
import { Connections } from './connections.js';
import { type Answer, inTurn } from './in-turn.js';
import type { Settings } from '../settings/settings.js';

/**
 * A request that ignores `Upgrade` headers for protocols other than WebSocket. Once a server has a listener for `upgrade`, Node
 * gives it every connection that asks for any upgrade. A client that merely offers HTTP/2 (`Upgrade: h2c`, as Java's client does
 * on its first request) would then get no answer. A server may ignore the header (RFC 9110 §7.8), and Node does so when
 * `upgrade` is false.
 */
class UpgradableRequest extends IncomingMessage {
  /** Declared without a value: it is set by Node's constructor. */
  declare private asked: boolean | null;

  /** Node's parser sets this, and reads it back once the headers are parsed. */
  get upgrade(): boolean {
    return this.asked === true && (this.method === 'CONNECT' || isWebSocket(this.headers.upgrade));
  }

  set upgrade(asked: boolean | null) {
    this.asked = asked;
  }
}

function isWebSocket(protocol: string | undefined): boolean {
  return protocol?.toLowerCase() === 'websocket';
}

/** A socket that accepts connections. */
export interface Listener {
  /** The address, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** For protocols that need more than requests, such as WebSocket. */
  readonly server: Server;
  /**
   * Makes every answer from now on the last one of its connection: otherwise a connection might be closed while its client sends
   * the next request (RFC 9112 §9.6).
   */
  announceClose(): void;
  /**
   * Stops accepting connections.
   *
   * @param limitMs - the time until requests in flight and WebSockets are cut off; 10 seconds by default
   * @returns a promise that resolves when every connection is closed
   */
  close(limitMs?: number): Promise<void>;
}

type ListenerSettings = Pick<Settings, 'host' | 'port'>;

const SECOND = 1000;

/** The times that a client may take. Requests are small, so a slow client is broken or malicious. */
const TIMEOUTS = {
  headersTimeout: 15 * SECOND,
  requestTimeout: 60 * SECOND,
  connectionsCheckingInterval: 5 * SECOND,
  // Longer than proxies keep a connection (nginx and AWS: 60 s), so that the proxy closes it first and never uses a closed one.
  keepAliveTimeout: 75 * SECOND,
};

/**
 * The maximum time without traffic while a request is answered; every answer begins earlier. If a client does not read its
 * answer, Node notices only after twice this time, because the first part was sent.
 */
const SILENCE = 45 * SECOND;

/**
 * @param refuse - writes the refusal of a request that does not reach `answer`
 * @param warn - called with warnings for operators
 * @throws an error that explains why the service cannot listen on the address
 */
export function listen(
  answer: Answer,
  settings: ListenerSettings,
  refuse: RestEngine<never>['refuse'],
  warn: (warning: string) => void,
): Promise<Listener> {
  const answerInTurn = inTurn(answer);
  // The service itself refuses a request without `Host`, and explains why.
  const options = { ...TIMEOUTS, requireHostHeader: false, IncomingMessage: UpgradableRequest };
  const server = createServer(options, answerInTurn);
  const owed = answerClientErrors(server, { refuse });
  const upgraded = new WeakSet<Socket>();
  const isBusy = (socket: Socket): boolean =>
    upgraded.has(socket) || owed.latest(socket)?.writableFinished === false;
  const connections = new Connections(warn, isBusy);
  // Ends a connection whose client does not read.
  server.timeout = SILENCE;
  // Node no longer tracks a connection that has become a WebSocket, and could not close it.
  server.on('connection', (socket: Socket) => connections.add(socket));
  server.on('upgrade', ({ socket }) => upgraded.add(socket));
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      reject(explain(error, settings));
    });
    server.listen(settings.port, settings.host, () => {
      server.removeAllListeners('error');
      resolve({
        url: urlOf(server.address() as AddressInfo), // it listens on a port, not on a pipe
        server,
        announceClose: () => announceClose(server, connections, owed),
        close: (limitMs = 10 * SECOND) => close(server, connections, limitMs),
      });
    });
  });
}

function announceClose(server: Server, { sockets }: Connections, owed: OwedResponses): void {
  server.prependListener('request', (_, response) => response.setHeader('Connection', 'close'));
  for (const socket of sockets) {
    const latest = owed.latest(socket);
    if (latest?.headersSent === false) latest.setHeader('Connection', 'close');
  }
}

/** The milliseconds that a new connection has to send its first request when the service stops. */
const FIRST_REQUEST = 250;

/**
 * The milliseconds that idle connections stay open when the service stops. A proxy may have sent a request that has not
 * arrived yet, and does not retry a POST (RFC 9110 §9.2.2). Such a request is answered, and then its connection is closed.
 */
const NEXT_REQUEST = 100;

/** The milliseconds within which a turn of the event loop has done nothing, not even waited for the processor. */
const IDLE_TURN = 0.2;

/** The number of such turns in a row, and the milliseconds after which they are no longer waited for. */
const IDLE_TURNS = 3;
const LAST_TURN = 500;

/**
 * Waits until the event loop has accepted and read all that has arrived, and has time left. A client loses its request if it sends
 * it between the last such turn and the closing of its connection: some 20 microseconds, in place of the milliseconds of a busy turn.
 */
async function quietMoment(): Promise<void> {
  const end = performance.now() + LAST_TURN;
  let started = performance.now();
  for (let idle = 0; idle < IDLE_TURNS && started < end;) {
    await setImmediate();
    const now = performance.now();
    idle = now - started < IDLE_TURN ? idle + 1 : 0;
    started = now;
  }
}

async function close(server: Server, connections: Connections, limitMs: number): Promise<void> {
  const closed = once(server, 'close');
  // Closing resets the connections that wait to be accepted.
  await quietMoment();
  // Not `server.close()` yet, which would close idle connections at once.
  NetServer.prototype.close.call(server);
  // Repeated, because connections with requests in flight become idle later.
  const sweep = setInterval(() => {
    // Node counts a connection as idle until it has read the request that has arrived.
    void quietMoment().then(() => server.closeIdleConnections());
  }, NEXT_REQUEST);
  // Browsers open connections ahead of use; Node does not count these as idle before their first request.
  const unused = setTimeout(() => {
    for (const socket of connections.sockets) if (socket.bytesRead === 0) socket.destroy();
  }, FIRST_REQUEST);
  const limit = setTimeout(() => {
    for (const socket of connections.sockets) socket.destroy();
  }, limitMs);
  await closed;
  clearTimeout(unused);
  clearInterval(sweep);
  clearTimeout(limit);
  // If no connection was open, this stops Node's own timer.
  server.close();
}

function explain(error: NodeJS.ErrnoException, { host, port }: ListenerSettings): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new Error(
        `Port ${String(port)} of ${host} is in use by another program: stop that, or choose another port with PORT`,
      );
    case 'EACCES':
      return new Error(`Port ${String(port)} needs more rights than this user has: choose another with PORT`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new Error(`HOST ${host} is no address of this machine`);
    default:
      return error;
  }
}

function urlOf({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${String(port)}`;
}
