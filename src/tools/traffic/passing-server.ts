/** A server that passes exchanges on to another one: `node:http` reads every message, and writes it anew. */

import { once } from 'node:events';
import {
  Agent,
  IncomingMessage,
  type Server,
  ServerResponse,
  createServer,
  request as send,
} from 'node:http';
import { Agent as SecureAgent, request as sendSecurely } from 'node:https';
import { type Socket, isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { answerClientErrors } from '@concordat/runtime/node';
import { urlOf } from '@concordat/runtime/terminal';
import { asksForWebSocket } from './heads.js';
import { passOn } from './passage.js';
import type { Behind, Passing } from './relay.js';

interface PassingOptions extends Pick<Passing, 'open'> {
  /** The server behind. Its path is not used. */
  readonly target: URL;
  /** In milliseconds, for tests. */
  readonly deadlines?: Partial<Passing['deadlines']>;
}

/** The maximum size in bytes of a head. No server that is in use takes larger ones. */
const MOST_HEAD_BYTES = 64 * 1024;

/** The maximum number of requests of a connection that wait for the answers to those before. */
const MOST_PIPELINED = 100;

/** The time in milliseconds after which an idle connection to the server is closed: before most servers close it. */
const MOST_IDLE = 4000;

/** The time in milliseconds that a client may keep an idle connection: longer than most clients do. */
const MOST_IDLE_OF_CLIENT = 75_000;

/** A request whose `Upgrade` counts only for a WebSocket. Otherwise, Node would take the body of such a request for the other protocol. */
class PassedRequest extends IncomingMessage {
  #asks = false;

  get upgrade(): boolean {
    return this.#asks && (this.method === 'CONNECT' || asksForWebSocket(this.method, this.rawHeaders));
  }

  set upgrade(asks: boolean | null) {
    // The constructor of Node sets it before this field exists, and its parser before the method is known.
    if (#asks in this) this.#asks = asks === true;
  }
}

/** Makes the server, which listens nowhere yet. */
export function passingServer({ target, open, deadlines }: PassingOptions): Server {
  const passing: Passing = {
    open,
    server: behind(target),
    deadlines: { connect: 10_000, answer: 120_000, body: 60_000, ...deadlines },
  };
  const server = createServer({
    IncomingMessage: PassedRequest,
    insecureHTTPParser: false,
    // That is refused in turn with other requests.
    requireHostHeader: false,
    maxHeaderSize: MOST_HEAD_BYTES,
    keepAliveTimeout: MOST_IDLE_OF_CLIENT,
    noDelay: true,
    // A body may be sent for as long as its client likes.
    requestTimeout: 0,
  });
  // Their size is limited; Node would leave out those that are too many.
  server.maxHeadersCount = 0;
  answerClientErrors(server);
  const turns = new Turns();
  const expecting = new WeakSet<IncomingMessage>();
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    expecting.add(request);
    server.emit('request', request, response);
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    turns.take(request.socket, response, () =>
      passOn(passing, request, response, { expects: expecting.has(request) }),
    );
  });
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    // Node's server does not listen any more.
    socket.on('error', () => undefined);
    if (turns.isTaken(socket)) {
      socket.destroy();
      return;
    }
    const response = new ServerResponse(request);
    response.assignSocket(socket);
    response.shouldKeepAlive = false;
    response.once('finish', () => socket.destroySoon());
    void passOn(passing, request, response, { tunnel: { socket, head } });
  });
  return server.once('close', () => {
    passing.server.agent.destroy();
    passing.server.freshAgent.destroy();
  });
}

/** Listens on a port. @returns its address, and what ends it with all its connections */
export async function startPassing(
  options: PassingOptions & { readonly host: string; readonly port: number },
): Promise<{ readonly url: string; readonly close: () => void }> {
  const server = passingServer(options);
  // Also those that have changed the protocol, which Node's server does not know any more.
  const clients = new Set<Socket>();
  server.on('connection', (client) => {
    clients.add(client);
    client.once('close', () => clients.delete(client));
  });
  await once(server.listen(options.port, options.host), 'listening');
  return {
    url: urlOf(server),
    close() {
      server.close();
      for (const client of clients) client.destroy();
    },
  };
}

/** Handles the requests of each connection one after the other, because a server may answer the second before the first. */
class Turns {
  readonly #open = new WeakMap<Duplex, { last: Promise<unknown>; count: number }>();

  isTaken(socket: Duplex): boolean {
    return (this.#open.get(socket)?.count ?? 0) > 0;
  }

  take(socket: Duplex, response: ServerResponse, handle: () => Promise<void>): void {
    const own = this.#open.get(socket) ?? { last: Promise.resolve(), count: 0 };
    this.#open.set(socket, own);
    const isFirst = own.count === 0;
    own.count += 1;
    const before = own.last;
    own.last = new Promise((resolve) => {
      response.once('close', () => {
        own.count -= 1;
        resolve(undefined);
      });
    });
    if (own.count > MOST_PIPELINED) socket.destroy();
    else if (isFirst) void handle();
    else void before.then(() => (socket.writable ? handle() : undefined));
  }
}

function behind({ protocol, hostname, port, host: name }: URL): Behind {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const idle = { keepAlive: true, scheduling: 'lifo', timeout: MOST_IDLE, noDelay: true } as const;
  const options = { host, insecureHTTPParser: false, maxHeaderSize: MOST_HEAD_BYTES } as const;
  if (protocol === 'http:') {
    const agents = { agent: new Agent(idle), freshAgent: new Agent({ noDelay: true }) };
    return { ...agents, send, name, ready: 'connect', options: { ...options, port: Number(port || 80) } };
  }
  const servername = isIP(host) === 0 ? host : '';
  return {
    ...{ agent: new SecureAgent(idle), freshAgent: new SecureAgent({ noDelay: true }) },
    ...{ send: sendSecurely, name, ready: 'secureConnect' },
    options: { ...options, port: Number(port || 443), servername, ALPNProtocols: ['http/1.1'] },
  };
}
