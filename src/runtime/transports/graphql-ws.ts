/**
 * GraphQL over WebSocket: the protocol `graphql-transport-ws` for any engine, on a server of `node:http`.
 *
 * Close codes in addition to the protocol's: 1001 when the service stops; 1009 for a message that is too large; 1013 for a client
 * that reads too slowly or cannot be served now (both may reconnect); 4403, with the error's message, when the credential of the
 * connection is no longer valid; 4500 for a fault of the service.
 */

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { handleProtocols } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { Problem } from '../index.js';
import { SlowSocket, type SlowSocketOptions } from './graphql-ws/slow-socket.js';
import { writeToSocket } from './node/write-response.js';
import { type Connection, type ProtocolOptions, protocolServer } from './graphql-ws/protocol.js';

export interface GraphqlWsOptions<Context> extends ProtocolOptions<Context>, SlowSocketOptions {
  /** The path of the WebSockets; `/graphql` unless given. */
  readonly path?: string;
  /** Whether pages of an origin may connect; all may unless given. Clients other than browsers send no origin and may connect. */
  readonly isAllowedOrigin?: (origin: string, request: IncomingMessage) => boolean;
  /** The time between pings, in milliseconds; 15 seconds unless given. A client that does not answer a ping is disconnected. */
  readonly keepAliveMs?: number;
}

export interface GraphqlWs {
  /** For the server's `upgrade` event. */
  readonly handleUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** Stops accepting connections and closes every one with 1001; resolves when all are closed, after five seconds at most. */
  close(): Promise<void>;
  /** The number of open WebSockets, for metrics. */
  readonly countConnections: () => number;
}

const MAX_MESSAGE_BYTES = 1024 * 1024;

/**
 * @example
 * ```ts
 * const ws = graphqlWs({ engine, openSession: () => ({ context: undefined }), report: console.error });
 * server.on('upgrade', ws.handleUpgrade);
 * ```
 */
export function graphqlWs<Context>(options: GraphqlWsOptions<Context>): GraphqlWs {
  const { path = '/graphql', keepAliveMs = 15_000 } = options;
  const sockets = new WebSocketServer({
    noServer: true,
    handleProtocols,
    maxPayload: MAX_MESSAGE_BYTES,
  });
  sockets.on('wsClientError', (error, socket, request) => {
    refuseUpgrade(socket, handshakeProblem(error, request));
  });
  const protocol = protocolServer(options);
  let closing: Promise<void> | undefined;

  const connections = new Set<SlowSocket>();
  const keepAlive = setInterval(() => {
    for (const socket of connections) socket.checkAlive();
  }, keepAliveMs);
  keepAlive.unref();

  function serve(webSocket: WebSocket, stream: Duplex, request: IncomingMessage): void {
    const socket = new SlowSocket(webSocket, stream, options);
    connections.add(socket);
    const connection: Connection<Context> = { socket, request, running: 0 };
    const closed = protocol.opened(socket, connection);
    webSocket.once('close', (code, reason) => {
      connections.delete(socket);
      socket.closed();
      void closed(code, String(reason)).catch(options.report);
    });
  }

  /** @throws a `Problem` to refuse an upgrade */
  function requireServed(request: IncomingMessage): void {
    const { origin } = request.headers;
    if (closing !== undefined) throw new Problem(503, 'The service is stopping', { 'Retry-After': '2' });
    if (request.url?.split('?')[0] !== path) throw new Problem(404, 'Not found');
    if (origin !== undefined && options.isAllowedOrigin?.(origin, request) === false) {
      throw new Problem(403, 'Pages of this origin may not connect');
    }
  }

  async function accept(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    // The HTTP server no longer handles errors of the socket; without a listener, they would end the process.
    const ignore = (): void => undefined;
    socket.on('error', ignore);
    try {
      requireServed(request);
      await options.admit?.(request);
      // The service may have started to stop in the meantime.
      requireServed(request);
    } catch (error) {
      if (!(error instanceof Problem)) options.report(error);
      refuseUpgrade(socket, error instanceof Problem ? error : new Problem(500, 'Internal server error'));
      return;
    }
    socket.off('error', ignore);
    sockets.handleUpgrade(request, socket, head, (webSocket) => serve(webSocket, socket, request));
  }

  return {
    handleUpgrade: (request, socket, head) => void accept(request, socket, head),
    close: () =>
      (closing ??= (async () => {
        clearInterval(keepAlive);
        const gone = [...connections].map((socket) => socket.close(1001, 'Going away'));
        await Promise.all(gone);
      })()),
    countConnections: () => connections.size,
  };
}

/** The problem for a handshake that `ws` refuses: `ws` gives the reason, but not its status and headers. */
function handshakeProblem({ message }: Error, { method, headers }: IncomingMessage): Problem {
  if (method !== 'GET') return new Problem(405, message, { Allow: 'GET' });
  const version = headers['sec-websocket-version'];
  // RFC 6455 §4.4: the header lists the versions that the server supports.
  const speaks = version === '13' || version === '8' ? {} : { 'Sec-WebSocket-Version': '13, 8' };
  return new Problem(400, message, speaks);
}

/** Writes the error as an object with the field `error`, like the other errors of the service. */
function refuseUpgrade(socket: Duplex, { status, message, headers }: Problem): void {
  const body = JSON.stringify({ error: message });
  writeToSocket(socket, { status, headers: { ...headers, 'Content-Type': 'application/json' }, body });
}
