/** Answers an upgrade request that leads to no WebSocket. */

import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** Errors have the one field of the service's others. */
export function refuseUpgrade(socket: Duplex, status: number, message: string): void {
  const body = JSON.stringify({ error: message });
  // The socket is not the HTTP server's any more; what goes wrong with it now is its client's loss.
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
