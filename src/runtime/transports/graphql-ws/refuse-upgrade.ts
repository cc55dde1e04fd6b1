/** Answers an upgrade request that is refused. */

import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** The error has the same single field as the service's other errors. */
export function refuseUpgrade(socket: Duplex, status: number, message: string): void {
  const body = JSON.stringify({ error: message });
  // The HTTP server no longer handles the socket's errors; without a listener they would end the process.
  socket.on('error', () => undefined);
  socket.end(
    [
      `HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}`,
      'Connection: close',
      'Content-Type: application/json',
      `Content-Length: ${String(Buffer.byteLength(body))}`,
      '',
      body,
    ].join('\r\n'),
  );
}
