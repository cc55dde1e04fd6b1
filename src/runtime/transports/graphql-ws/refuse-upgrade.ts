/** Answers an upgrade request that is refused. */

import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Problem } from '../../index.js';

/** The error has the same single field as the service's other errors. */
export function refuseUpgrade(socket: Duplex, { status, message, headers }: Problem): void {
  const body = JSON.stringify({ error: message });
  const fields = {
    ...headers,
    Connection: 'close',
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
  };
  // The HTTP server no longer handles the socket's errors; without a listener they would end the process.
  socket.on('error', () => undefined);
  // Otherwise a client that does not close its side keeps the socket, and no timeout of the server applies any more.
  socket.once('finish', () => socket.destroy());
  socket.end(
    [
      `HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}`,
      ...Object.entries(fields).map(([name, value]) => `${name}: ${value}`),
      '',
      body,
    ].join('\r\n'),
  );
}
