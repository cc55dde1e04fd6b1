/** GraphQL over WebSocket beside the library's server, written by hand so that each rule of the protocol can be broken. */

import type { Server } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Fault } from './library-faults.js';

/** What the library does with a subscription. @returns what ends it @throws an error that says why it is refused */
export type Subscribe = (query: string, next: (result: unknown) => void) => () => void;

/** What the socket needs of the library. */
export interface SocketHost {
  readonly fault: Fault | undefined;
  readonly seen: string[];
  readonly subscribe: Subscribe;
}

interface Message {
  readonly type: string;
  readonly id?: string;
  readonly payload?: { readonly query: string };
}

/** Accepts WebSockets at `/graphql`. */
export function acceptSockets(server: Server, host: SocketHost): void {
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    if (request.url !== '/graphql' || host.fault === 'there is no WebSocket for an event') {
      socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      new Connection(webSocket, host).listen();
    });
  });
}

class Connection {
  #isAcknowledged = false;
  readonly #running = new Map<string, () => void>();

  constructor(
    private readonly socket: WebSocket,
    private readonly host: SocketHost,
  ) {}

  listen(): void {
    this.socket.on('message', (data: Buffer) => {
      this.host.seen.push(JSON.stringify(['WebSocket', String(data)]));
      this.#take(String(data));
    });
    this.socket.on('close', () => {
      for (const stop of this.#running.values()) stop();
    });
  }

  #send(message: object): void {
    this.socket.send(JSON.stringify(message));
  }

  /** Breaks the connection off, unless the fault is that the server does not. */
  #refuse(code: number, reason: string, ignoredBy: Fault): boolean {
    if (this.host.fault === ignoredBy) return false;
    const isOther = this.host.fault === 'over WebSocket, a refusal has another code';
    this.socket.close(isOther ? 4999 : code, reason);
    return true;
  }

  #take(text: string): void {
    const message = parsed(text);
    if (message === undefined) {
      this.#refuse(4400, 'Invalid message', 'over WebSocket, any message is taken');
      return;
    }
    const { type, id = '', payload } = message;
    switch (type) {
      case 'connection_init':
        this.#initialise();
        return;
      case 'ping':
        if (this.host.fault !== 'over WebSocket, ping has no pong') this.#send({ type: 'pong' });
        return;
      case 'pong':
        return;
      case 'complete':
        this.#running.get(id)?.();
        return;
      case 'subscribe':
        this.#subscribe(id, payload?.query ?? '');
        return;
      default:
        this.#refuse(4400, 'Invalid message', 'over WebSocket, any message is taken');
    }
  }

  #initialise(): void {
    const { fault } = this.host;
    if (
      this.#isAcknowledged &&
      this.#refuse(4429, 'Too many', 'over WebSocket, connection_init may come again')
    )
      return;
    this.#isAcknowledged = true;
    // A client answers it with a pong.
    this.#send({ type: 'ping' });
    if (fault === 'over WebSocket, connection_init is not acknowledged') return;
    this.#send({ type: fault === 'over WebSocket, a message has another type' ? 'ready' : 'connection_ack' });
  }

  #subscribe(id: string, query: string): void {
    const { fault } = this.host;
    if (
      !this.#isAcknowledged &&
      this.#refuse(4401, 'Unauthorized', 'over WebSocket, nothing needs connection_init')
    )
      return;
    if (this.#running.has(id) && this.#refuse(4409, 'There is one', 'over WebSocket, two have one id'))
      return;
    if (fault === 'over WebSocket, the connection is cut') {
      this.socket.terminate();
      return;
    }
    try {
      if (fault === 'over WebSocket, a valid subscription is refused') throw new Error('no subscriptions');
      const stop = this.host.subscribe(query, (payload) => {
        this.#send({
          id: fault === 'over WebSocket, an event has another id' ? '7' : id,
          type: 'next',
          payload,
        });
        if (fault !== 'over WebSocket, an event comes after the end') return;
        this.#send({ id, type: 'complete' });
        this.#send({ id, type: 'next', payload });
      });
      this.#running.set(id, stop);
    } catch (error) {
      if (fault === 'over WebSocket, a broken subscription is taken') return;
      const errors = [{ message: String(error instanceof Error ? error.message : error) }];
      this.#send({ id, type: 'error', payload: errors });
    }
  }
}

function parsed(text: string): Message | undefined {
  try {
    return JSON.parse(text) as Message;
  } catch {
    return undefined;
  }
}
