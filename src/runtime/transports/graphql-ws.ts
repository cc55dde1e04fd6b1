/**
 * GraphQL over WebSocket: the protocol `graphql-transport-ws`, over any engine, beside a server of `node:http`.
 *
 * Close codes beyond the protocol's own: 1001 when the service stops; 1009 for a message that is too large; 1013 for a client
 * that reads too slowly, and for one whose connection cannot be served now (both may reconnect); 4403 when the token that the
 * connection was opened with is no longer valid; 4500 for a fault of the service.
 */

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { handleProtocols } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import type { GraphqlEngine, OpenGraphqlSession } from '../graphql/index.js';
import { refuseUpgrade } from './graphql-ws/refuse-upgrade.js';
import { SlowSocket } from './graphql-ws/slow-socket.js';
import { type Connection, protocolServer } from './graphql-ws/protocol.js';

export interface GraphqlWsOptions<Context> {
  readonly engine: GraphqlEngine<Context>;
  /** Identifies the caller; called once per connection. */
  readonly openSession: OpenGraphqlSession<Context>;
  /** Where WebSockets are accepted; `/graphql` unless given. */
  readonly path?: string;
  /** Whether pages of an origin may connect; all may unless given. Clients other than browsers send no origin, and may. */
  readonly isAllowedOrigin?: (origin: string, request: IncomingMessage) => boolean;
  /** How many operations a connection may have at once; 50 unless given. */
  readonly maxOperations?: number;
  /** How many bytes a message of a client may have; 1 MiB unless given. */
  readonly maxMessageBytes?: number;
  /** How long a client may take to initialise the connection, in milliseconds; 3 seconds unless given. */
  readonly initTimeoutMs?: number;
  /** How often clients are pinged, in milliseconds; 15 seconds unless given. A client that misses one ping is disconnected. */
  readonly keepAliveMs?: number;
  /** How many bytes may wait to be sent before the source is paused; 256 KiB unless given. */
  readonly maxWaitingBytes?: number;
  /** How long a client may take to read pending data, in milliseconds; 10 seconds unless given. */
  readonly patienceMs?: number;
  /** Called with faults of the service; the client learns only the close code 4500. */
  readonly report: (error: unknown) => void;
}

export interface GraphqlWs {
  /** For the server's `upgrade` event. */
  readonly handleUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** Stops accepting, and closes every connection with 1001; resolves when all are closed, after five seconds at most. */
  close(): Promise<void>;
}

/**
 * @example
 * ```ts
 * const ws = graphqlWs({ engine, openSession: () => ({ context: undefined }), report: console.error });
 * server.on('upgrade', ws.handleUpgrade);
 * ```
 */
export function graphqlWs<Context>(options: GraphqlWsOptions<Context>): GraphqlWs {
  const { path = '/graphql', isAllowedOrigin, keepAliveMs = 15_000 } = options;
  const sockets = new WebSocketServer({
    noServer: true,
    handleProtocols,
    maxPayload: options.maxMessageBytes ?? 1024 * 1024,
  });
  const protocol = protocolServer(options);
  let closing: Promise<void> | undefined;

  const connections = new Set<SlowSocket>();
  const keepAlive = setInterval(() => {
    for (const socket of connections) socket.checkAlive();
  }, keepAliveMs);
  keepAlive.unref();

  function serve(webSocket: WebSocket, request: IncomingMessage): void {
    const socket = new SlowSocket(webSocket, options);
    connections.add(socket);
    const connection: Connection<Context> = { socket, request, running: 0 };
    const closed = protocol.opened(socket, connection);
    webSocket.once('close', (code, reason) => {
      connections.delete(socket);
      socket.closed();
      void closed(code, String(reason)).catch(options.report);
    });
  }

  return {
    handleUpgrade: (request, socket, head) => {
      const { origin } = request.headers;
      if (closing !== undefined) refuseUpgrade(socket, 503, 'The service is stopping');
      else if (request.url?.split('?')[0] !== path) refuseUpgrade(socket, 404, 'Not found');
      else if (origin !== undefined && isAllowedOrigin?.(origin, request) === false) {
        refuseUpgrade(socket, 403, 'Pages of this origin may not connect');
      } else sockets.handleUpgrade(request, socket, head, serve);
    },
    close: () =>
      (closing ??= (async () => {
        clearInterval(keepAlive);
        const gone = [...connections].map((socket) => socket.close(1001, 'Going away'));
        await Promise.all(gone);
      })()),
  };
}
