/** A proxy that passes the bytes of each connection on as they are, and reads a copy of them. */

import { once } from 'node:events';
import { type Server, type Socket, connect, createServer, isIP } from 'node:net';
import { TLSSocket, connect as connectSecurely } from 'node:tls';
import { urlOf } from '@concordat/runtime/terminal';
import { ConnectionReader, type RequestHead, type TappedExchange } from './connection-reader.js';
import { Gate, answer, problemResponse } from './gate.js';

interface TapOptions {
  /** The server. Its path is not used. */
  readonly target: URL;
  /** Begins to read an exchange; undefined for one that is only passed on. Its end is called after its last byte was passed on. */
  readonly open: (request: RequestHead) => TappedExchange | undefined;
  /** Whether requests may have to be checked before they are passed on. */
  readonly enforces?: boolean;
}

/**
 * Nothing is parsed on the way: framing, repeated headers, trailers, upgrades and half-closed connections stay as they are. A
 * proxy on `node:http` would write each message again.
 */
export function createTap({ target, open, enforces = false }: TapOptions): Server {
  return createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const server = connectTo(target);
    let isConnected = false;
    server.once(target.protocol === 'https:' ? 'secureConnect' : 'connect', () => (isConnected = true));
    const reading = new ConnectionReader(client.remoteAddress ?? '', open);
    const gate = enforces ? new Gate(reading, client, server) : undefined;
    if (gate === undefined) passOn(client, server, (chunk) => reading.request.write(chunk));
    else {
      client.on('data', (chunk: Buffer) => {
        client.pause();
        void gate.pass(chunk).finally(() => client.resume());
      });
    }
    passOn(server, client, (chunk) => reading.readResponse(chunk));
    endWith(client, server, () => reading.request.end());
    endWith(server, client, () => reading.response.end());
    server.on('error', ({ message }) => {
      const detail = `No server answers at ${target.host}: ${message}`;
      if (!isConnected) answer(client, problemResponse(502, detail), reading.latest?.method);
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
        if (one === server && (gate?.isClosed === true || (hadError && !isConnected))) return;
        if (hadError || !one.readableEnded) abort(other);
        else if (!other.writableEnded) other.end();
      });
    }
  });
}

/** Listens on a port. @returns its address, and what ends it with all its connections */
export async function startTap({
  host,
  port,
  ...options
}: TapOptions & { readonly host: string; readonly port: number }): Promise<{
  readonly url: string;
  readonly close: () => void;
}> {
  const tap = createTap(options);
  const clients = new Set<Socket>();
  tap.on('connection', (client) => {
    clients.add(client);
    client.once('close', () => clients.delete(client));
  });
  await once(tap.listen(port, host), 'listening');
  return {
    url: urlOf(tap),
    close() {
      tap.close();
      for (const client of clients) client.destroy();
    },
  };
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
function passOn(from: Socket, to: Socket, read: (chunk: Buffer) => void): void {
  from.on('data', (chunk: Buffer) => {
    if (to.writable && !to.write(chunk)) {
      from.pause();
      to.once('drain', () => from.resume());
    }
    read(chunk);
  });
}

function endWith(from: Socket, to: Socket, end: () => void): void {
  from.once('end', () => {
    end();
    if (to.writable) to.end();
  });
}
