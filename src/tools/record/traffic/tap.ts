/** A proxy that passes the bytes of each connection on as they are, and reads a copy of them. */

import { type Server, type Socket, connect, createServer, isIP } from 'node:net';
import { TLSSocket, connect as connectSecurely } from 'node:tls';
import type { BodySample } from '@concordat/runtime/observe';
import { type MessageHead, MessageReader } from './message-reader.js';

/** A request and its response. A body is undefined if it was larger than the memory for it. */
export interface Exchange {
  readonly method: string;
  /** The path and the query, as they were sent. */
  readonly target: string;
  readonly requestHeaders: MessageHead['headers'];
  readonly requestBody: Uint8Array | undefined;
  readonly status: number;
  readonly responseHeaders: MessageHead['headers'];
  readonly responseBody: Uint8Array | undefined;
  /** The address of the client. */
  readonly address?: string;
}

export interface TapOptions {
  /** The server. Its path is not used. */
  readonly target: URL;
  /** Makes the copy of a body. */
  readonly newBody: () => BodySample;
  /** Called for each exchange, after its last byte was passed on. */
  readonly record: (exchange: Exchange) => void;
}

/** More requests without a response are passed on, and not recorded. */
const MOST_PIPELINED = 100;

/**
 * Nothing is parsed on the way: framing, repeated headers, trailers, upgrades and half-closed connections stay as they are. A
 * proxy on `node:http` would write each message again.
 */
export function createTap({ target, newBody, record }: TapOptions): Server {
  return createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const server = connectTo(target);
    let isConnected = false;
    server.once(target.protocol === 'https:' ? 'secureConnect' : 'connect', () => (isConnected = true));
    const { remoteAddress: address = '' } = client;
    const reading = new ConnectionReader(newBody, (exchange) => record({ ...exchange, address }));
    passOn(
      client,
      server,
      (chunk) => reading.request.write(chunk),
      () => reading.request.end(),
    );
    passOn(
      server,
      client,
      (chunk) => reading.response.write(chunk),
      () => reading.response.end(),
    );
    server.on('error', ({ message }) => {
      if (!isConnected) client.end(badGateway(target, message));
    });
    // `close` follows.
    client.on('error', () => undefined);
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.once('close', (hadError) => {
        reading.stop();
        // An aborted connection is aborted on the other side, one that has ended is ended.
        if (hadError && one === server && !isConnected) return;
        if (hadError || !one.readableEnded) abort(other);
        else if (!other.writableEnded) other.end();
      });
    }
  });
}

function connectTo({ protocol, hostname, port }: URL): Socket {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (protocol === 'http:')
    return connect({ host, port: Number(port || 80), allowHalfOpen: true, noDelay: true });
  const servername = isIP(host) === 0 ? host : '';
  const socket = connectSecurely({
    host,
    port: Number(port || 443),
    servername,
    ALPNProtocols: ['http/1.1'],
  });
  socket.allowHalfOpen = true;
  return socket;
}

/** TLS has no way to reset a connection. */
function abort(socket: Socket): void {
  if (socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
}

/** Passes bytes on as fast as they are taken. The copy is read after them. */
function passOn(from: Socket, to: Socket, read: (chunk: Buffer) => void, end: () => void): void {
  from.on('data', (chunk: Buffer) => {
    if (to.writable && !to.write(chunk)) {
      from.pause();
      to.once('drain', () => from.resume());
    }
    read(chunk);
  });
  from.once('end', () => {
    end();
    if (to.writable) to.end();
  });
}

function badGateway({ host }: URL, reason: string): string {
  const text = `No server answers at ${host}: ${reason}\n`;
  return `HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/plain\r\nContent-Length: ${String(Buffer.byteLength(text))}\r\nConnection: close\r\n\r\n${text}`;
}

interface Pending {
  readonly method: string;
  readonly target: string;
  readonly requestHeaders: MessageHead['headers'];
  request?: { readonly body: Uint8Array | undefined };
  response?: Pick<Exchange, 'status' | 'responseHeaders'> & { readonly body: Uint8Array | undefined };
}

/** Pairs the requests of a connection with its responses, which come in the same order (RFC 9112 §9.3). */
class ConnectionReader {
  readonly request: MessageReader;
  readonly response: MessageReader;
  readonly #pending: Pending[] = [];
  #head: Pick<Exchange, 'status' | 'responseHeaders'> | undefined;

  constructor(
    newBody: () => BodySample,
    private readonly record: (exchange: Exchange) => void,
  ) {
    this.request = new MessageReader(
      {
        head: ({ startLine, headers }) => {
          const [, method, target] = /^([\w!#$%&'*+.^`|~-]+) (\S+) HTTP\/1\.[01]$/.exec(startLine) ?? [];
          if (method === undefined || target === undefined || this.#pending.length >= MOST_PIPELINED) {
            this.stop();
            return 'not HTTP';
          }
          this.#pending.push({ method, target, requestHeaders: headers });
          return 'no body';
        },
        end: (body) => {
          const pending = this.#pending.find(({ request }) => request === undefined);
          if (pending !== undefined) pending.request = { body };
          this.#complete();
        },
      },
      newBody,
    );
    this.response = new MessageReader(
      {
        head: ({ startLine, headers }) => {
          const status = Number(/^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(startLine)?.[1] ?? 0);
          const pending = this.#pending.find(({ response }) => response === undefined);
          if (status === 0 || pending === undefined) return 'not HTTP';
          if (status === 101 || (pending.method === 'CONNECT' && status < 300)) {
            this.stop();
            return 'not HTTP';
          }
          this.#head = { status, responseHeaders: headers };
          const isBare = status < 200 || status === 204 || status === 304 || pending.method === 'HEAD';
          return isBare ? 'no body' : 'body';
        },
        end: (body) => {
          const head = this.#head;
          const pending = this.#pending.find(({ response }) => response === undefined);
          // Informational responses come before the response itself.
          if (head === undefined || head.status < 200 || pending === undefined) return;
          pending.response = { ...head, body };
          this.#complete();
        },
      },
      newBody,
    );
  }

  stop(): void {
    this.request.stop();
    this.response.stop();
    this.#pending.length = 0;
  }

  #complete(): void {
    for (;;) {
      const [first] = this.#pending;
      if (first?.request === undefined || first.response === undefined) return;
      this.#pending.shift();
      const { method, target, requestHeaders, request, response } = first;
      const { status, responseHeaders } = response;
      const bodies = { requestBody: request.body, responseBody: response.body };
      this.record({ method, target, requestHeaders, status, responseHeaders, ...bodies });
    }
  }
}
