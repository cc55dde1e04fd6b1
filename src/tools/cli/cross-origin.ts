/** Lets the pages of every origin read the answers of a mock (CORS), because a front end under development has an origin of its own. */

import type { IncomingMessage, ServerResponse } from 'node:http';

/** Sets the headers of an answer, and answers preflight requests. Nothing that a mock answers is a secret of its user. */
export function allowCrossOrigin(
  { method, headers }: IncomingMessage,
  outgoing: ServerResponse,
  next?: () => void,
): void {
  outgoing.setHeader('Vary', 'Origin');
  if (headers.origin !== undefined) {
    outgoing.setHeader('Access-Control-Allow-Origin', headers.origin);
    outgoing.setHeader('Access-Control-Allow-Credentials', 'true');
    outgoing.setHeader('Access-Control-Expose-Headers', '*');
  }
  const asked = headers['access-control-request-method'];
  if (method !== 'OPTIONS' || asked === undefined) {
    next?.();
    return;
  }
  outgoing.setHeader('Access-Control-Allow-Methods', asked);
  const names = headers['access-control-request-headers'];
  if (names !== undefined) outgoing.setHeader('Access-Control-Allow-Headers', names);
  outgoing.writeHead(204).end();
}
