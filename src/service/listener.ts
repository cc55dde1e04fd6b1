/** The socket that the service listens on: opened, and closed without breaking off what is in flight. */

import { once } from 'node:events';
import { type RequestListener, type Server, createServer } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { answerClientError } from './client-error.js';
import type { Settings } from './settings.js';
import { UpgradableRequest } from './upgradable-request.js';

/** A socket that accepts connections. */
export interface Listener {
  /** Such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** For what needs more than requests, such as WebSockets. */
  readonly server: Server;
  /**
   * Stops accepting.
   *
   * @param limitMs - when to break off what is still in flight, and WebSockets; 10 seconds when not given
   * @returns when every connection is closed
   */
  close(limitMs?: number): Promise<void>;
}

type ListenerSettings = Pick<Settings, 'host' | 'port'>;

const SECOND = 1000;

/** How long a client may take. What a client sends is small, so a slow one is broken or means no good. */
const TIMEOUTS = {
  headersTimeout: 15 * SECOND,
  requestTimeout: 60 * SECOND,
  // Longer than proxies keep a connection (nginx and AWS: 60 s), so that they close it and never find it closed.
  keepAliveTimeout: 75 * SECOND,
};

/** @throws when the address cannot be listened on, with the reason in words */
export function listen(answer: RequestListener, settings: ListenerSettings): Promise<Listener> {
  const server = createServer({ ...TIMEOUTS, IncomingMessage: UpgradableRequest }, answer);
  server.on('clientError', answerClientError);
  // Node forgets a connection that has become a WebSocket, and could not break it off.
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      reject(explain(error, settings));
    });
    server.listen(settings.port, settings.host, () => {
      server.removeAllListeners('error');
      resolve({
        url: urlOf(server.address() as AddressInfo), // it listens on a port, not on a pipe
        server,
        close: (limitMs = 10 * SECOND) => close(server, sockets, limitMs),
      });
    });
  });
}

/** How long, in milliseconds, the first request of a connection may be on its way when the service stops. */
const FIRST_REQUEST = 250;

/**
 * How long, in milliseconds, connections stay open that wait for their next. A proxy may have sent one that is not here yet, and
 * sends no POST again (RFC 9110 §9.2.2); what comes is answered, and closes its connection.
 */
const NEXT_REQUEST = 100;

async function close(server: Server, sockets: ReadonlySet<Socket>, limitMs: number): Promise<void> {
  const closed = once(server, 'close');
  // Behind a turn of the loop, which accepts what has connected already: the system would break that off.
  await setImmediate();
  // Not `server.close()` yet, which would close those at once.
  NetServer.prototype.close.call(server);
  // Node closes idle connections once; what is in flight then leaves more of them behind.
  const sweep = setInterval(() => {
    // Behind a turn as well, which reads what has arrived already: to Node its connection is idle until then.
    void setImmediate().then(() => server.closeIdleConnections());
  }, NEXT_REQUEST);
  // A connection that was made ahead, as browsers make them, is not idle to Node before its first request.
  const unused = setTimeout(() => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  }, FIRST_REQUEST);
  const limit = setTimeout(() => {
    for (const socket of sockets) socket.destroy();
  }, limitMs);
  await closed;
  clearTimeout(unused);
  clearInterval(sweep);
  clearTimeout(limit);
  // Where nothing was open, this ends Node's own timer.
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
