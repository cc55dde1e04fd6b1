/** Puts a REST engine behind `node:http`, with nothing in between. */

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { RequestHeaders, RestEngine, RestRequest, RestResponse } from '../index.js';
import { readNodeBody } from './body/read-node-body.js';

export { readNodeBody } from './body/read-node-body.js';

/**
 * A listener that answers every request by the contract.
 *
 * @example
 * ```ts
 * createServer(nodeTransport(engine)).listen(3000);
 * ```
 */
export function nodeTransport<Caller>(engine: RestEngine<Caller>): RequestListener {
  return (incoming, outgoing) => {
    const request = new NodeRequest(incoming);
    const response = engine.handle(request);
    if (response instanceof Promise) {
      void response.then((settled) => {
        writeResponse(outgoing, request.method, settled);
      });
    } else writeResponse(outgoing, request.method, response);
  };
}

class NodeRequest implements RestRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: RequestHeaders;
  readonly address: string | undefined;

  constructor(private readonly incoming: IncomingMessage) {
    const target = originForm(incoming.url ?? '');
    const mark = target.indexOf('?');
    this.method = incoming.method ?? 'GET';
    this.path = mark === -1 ? target : target.slice(0, mark);
    this.query = mark === -1 ? '' : target.slice(mark + 1);
    this.headers = incoming.headers;
    this.address = incoming.socket.remoteAddress;
  }

  readBody(limit: number): Promise<Uint8Array> {
    return readNodeBody(this.incoming, limit);
  }
}

/** A proxy's request has a whole URL for its target (RFC 9112 §3.2.2); what is neither leads nowhere. */
function originForm(target: string): string {
  if (target.startsWith('/') || !URL.canParse(target)) return target;
  const { pathname, search } = new URL(target);
  return pathname + search;
}

const WITHOUT_LENGTH = new Set([204, 304]);

function writeResponse(
  outgoing: ServerResponse,
  method: string,
  { status, headers, body }: RestResponse,
): void {
  outgoing.statusCode = status;
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) outgoing.setHeader(name, value);
  }
  if (WITHOUT_LENGTH.has(status)) {
    outgoing.end();
    return;
  }
  outgoing.setHeader('Content-Length', body === undefined ? 0 : Buffer.byteLength(body));
  // Node sends no body in answer to HEAD, whatever it is given.
  outgoing.end(method === 'HEAD' ? undefined : body);
}
