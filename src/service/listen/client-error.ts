/** Answers requests that are not valid HTTP or arrive too slowly, in the contract's error format. */

import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** By Node's error codes; anything else is malformed. */
const REFUSALS: Readonly<Record<string, readonly [status: number, error: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The request headers are too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time'],
};
const MALFORMED = [400, 'The request is not valid HTTP'] as const;

/** How long, in milliseconds, a client has to read the answer. */
const FAREWELL = 1000;

/** A listener for a server's event `clientError`, for which Node provides no response object. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, sentence] = REFUSALS[error.code ?? ''] ?? MALFORMED;
  const body = JSON.stringify({ error: sentence });
  socket.end(
    [
      `HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}`,
      'Content-Type: application/json',
      `Content-Length: ${String(Buffer.byteLength(body))}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
  // A client that does not close its side would keep the socket for ever. Destroyed at once, with unread bytes of the request,
  // the socket would be reset, and the answer with it.
  setTimeout(() => socket.destroy(), FAREWELL).unref();
}
