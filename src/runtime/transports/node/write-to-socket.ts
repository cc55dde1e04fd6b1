/** Writes a response to a connection for which Node provides no response object. */

import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type HttpResponse, isStreamed } from '../../http/message.js';

/** The time in milliseconds for a client to read the last response and close its side. */
const FAREWELL = 1000;

/** Ends the connection with a response. A streamed body is left out. */
export function writeToSocket(socket: Duplex, { status, headers, body = '' }: HttpResponse): void {
  const content = isStreamed(body) ? '' : body;
  const fields = {
    Date: new Date().toUTCString(),
    ...headers,
    Connection: 'close',
    'Content-Length': String(Buffer.byteLength(content)),
  };
  const lines = Object.entries(fields).flatMap(([name, value]) =>
    [value].flat().map((each) => `${name}: ${each}`),
  );
  socket.write([`HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}`, ...lines, '', ''].join('\r\n'));
  if (content.length > 0) socket.write(content);
  leaveSocket(socket);
}

/**
 * Closes a connection when all data is sent. Destroying it at once, with unread bytes of a request, would reset it and lose the
 * response. A timer destroys it, because a client that does not close its side would keep it open for ever.
 */
export function leaveSocket(socket: Duplex): void {
  // The server may no longer handle errors of the socket; without a listener, they would end the process.
  socket.on('error', () => undefined).end();
  setTimeout(() => socket.destroy(), FAREWELL).unref();
}
