/** Writes a response to a connection for which Node provides no response object. */

import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type HttpResponse, isStreamed } from '../../http/message.js';

/** How long, in milliseconds, a client has to read the last response and to close its side. */
const FAREWELL = 1000;

/** Ends the connection with this response. A streamed body is left out. */
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
 * Closes a connection when all is sent. Destroyed at once, with unread bytes of a request, it would be reset, and the response
 * with it. A client that does not close its side would keep it for ever.
 */
export function leaveSocket(socket: Duplex): void {
  // The server may no longer handle the socket's errors; without a listener they would end the process.
  socket.on('error', () => undefined).end();
  setTimeout(() => socket.destroy(), FAREWELL).unref();
}
