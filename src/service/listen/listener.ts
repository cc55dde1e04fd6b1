/** The listening socket of the service, opened or taken from systemd, whose requests are answered one after the other per connection. */

import {
  type RequestListener,
  type Server,
  type ServerResponse,
  IncomingMessage,
  createServer,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { ServiceError, isLoopback } from '@concordat/core';
import type { RestEngine } from '@concordat/runtime';
import { answerClientErrors } from '@concordat/runtime/node';
import type { Settings } from '../settings/settings.js';
import { Closing } from './closing.js';
import { Connections } from './connections.js';

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
    if (this.asked !== true) return false;
    return this.method === 'CONNECT' || this.headers.upgrade?.toLowerCase() === 'websocket';
  }

  set upgrade(asked: boolean | null) {
    this.asked = asked;
  }
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

type ListenerSettings = Pick<Settings, 'host' | 'port' | 'socket'>;

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

/** What a listener needs. */
interface ListenerParts {
  readonly answer: Answer;
  readonly settings: ListenerSettings;
  /** Writes the refusal of a request that does not reach `answer`. */
  readonly refuse: RestEngine<never>['refuse'];
  /** Whether a socket that is not on loopback is refused, because no policy was chosen. */
  readonly isLocal: boolean;
  /** Called with warnings for operators. */
  readonly warn: (warning: string) => void;
  /** Called with the error of a connection that could not be accepted. */
  readonly report: (error: unknown) => void;
}

/** @throws an error that explains why the service cannot listen on the address; no connection was accepted then */
export function listen({
  answer,
  settings,
  refuse,
  isLocal,
  warn,
  report,
}: ListenerParts): Promise<Listener> {
  const answerInTurn = inTurn(answer);
  // The service itself refuses a request without `Host`, and explains why.
  const options = { ...TIMEOUTS, requireHostHeader: false, IncomingMessage: UpgradableRequest };
  const server = createServer(options, answerInTurn);
  const responses = answerClientErrors(server, { refuse });
  const upgraded = new WeakSet<Socket>();
  const isBusy = (socket: Socket): boolean =>
    upgraded.has(socket) || responses.latest(socket)?.writableFinished === false;
  const connections = new Connections(warn, isBusy);
  // Ends a connection whose client does not read. A request whose body stops arriving is answered with 408.
  server.timeout = SILENCE;
  // Node no longer tracks a connection that has become a WebSocket, and could not close it.
  server.on('connection', (socket: Socket) => connections.add(socket));
  server.on('upgrade', ({ socket }) => upgraded.add(socket));
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      reject(explain(error, settings));
    });
    const { host, port, socket: fd } = settings;
    server.listen(fd === undefined ? { host, port } : { fd }, () => {
      server.removeAllListeners('error').on('error', (cause) => {
        report(new ServiceError('unavailable', 'A connection could not be accepted', { cause }));
      });
      const address = usableAddress(server.address(), isLocal);
      if (address instanceof Error) {
        // At once: in the next turn of the event loop, connections would be accepted.
        server.close();
        reject(address);
        return;
      }
      const closing = new Closing(server, connections, responses, fd !== undefined);
      resolve({
        url: `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${String(address.port)}`,
        server,
        announceClose: () => closing.announce(),
        close: (limitMs = 10 * SECOND) => closing.close(limitMs),
      });
    });
  });
}

/** @returns the address of a socket, which may be a given one, or why the service must not serve on it */
function usableAddress(address: AddressInfo | string | null, isLocal: boolean): AddressInfo | Error {
  if (address === null || typeof address === 'string')
    return new Error('The socket of LISTEN_FDS is not a TCP socket: give ListenStream= a port');
  if (!isLocal || isLoopback(address.address)) return address;
  return new Error(
    `AUTH_POLICY must be given unless the socket is on loopback (it is on ${address.address}): protected, or open to admit every caller`,
  );
}

function explain(error: NodeJS.ErrnoException, { host, port, socket }: ListenerSettings): Error {
  if (socket !== undefined) {
    return new Error(`LISTEN_FDS gives no socket that can be listened on (${error.code ?? error.message})`);
  }
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

/** Answers a request, at once or later. */
type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

/**
 * Answers pipelined requests, which a client sends without waiting for answers, one after the other.
 *
 * Node emits every request as soon as it is parsed, hundreds of them from one packet. This listener holds a request until the
 * previous answer has been handed to the kernel, so nothing is computed for a client that does not read. Meanwhile, it reads
 * nothing more from the client.
 */
function inTurn(answer: Answer): RequestListener {
  const waiting = new WeakMap<Socket, number>();

  function hold(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const others = waiting.get(socket) ?? 0;
    waiting.set(socket, others + 1);
    if (others === 0) socket.on('resume', pauseAgain).pause();
    response.once('socket', () => {
      // Other connections go first; otherwise all requests of one packet would be answered before them.
      setImmediate(() => {
        const others = (waiting.get(socket) ?? 1) - 1;
        waiting.set(socket, others);
        if (others === 0) socket.off('resume', pauseAgain).resume();
        if (!socket.destroyed) answer(request, response);
      });
    });
  }

  return (request, response) => {
    // Node queues responses: each gets the socket when the previous one is finished.
    if (response.socket === null) hold(request, response);
    else answer(request, response);
  };
}

/** Undoes Node's `resume` after each answer, which discards the rest of the request's body. */
function pauseAgain(this: Socket): void {
  this.pause();
}
