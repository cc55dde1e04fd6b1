/** A `node:http` request, as handlers see it. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpRequest, RequestHeaders } from '../../http/message.js';
import { readNodeBody, streamNodeBody } from './node-body.js';

/** A request with the result of a body parser, such as `express.json()`. */
export interface ParsedMessage extends IncomingMessage {
  readonly body?: unknown;
}

export class NodeRequest implements HttpRequest {
  readonly method: string;
  readonly query: string;
  readonly headers: RequestHeaders;
  #signal: AbortSignal | undefined = undefined;

  /** @param path - the path within the handler: without a prefix that it is mounted at */
  constructor(
    protected readonly incoming: ParsedMessage,
    private readonly outgoing: ServerResponse,
    readonly path: string,
  ) {
    this.method = incoming.method ?? 'GET';
    this.query = queryOf(incoming.url ?? '');
    this.headers = incoming.headers;
  }

  get address(): string | undefined {
    return this.incoming.socket.remoteAddress;
  }

  get body(): AsyncIterable<Uint8Array> {
    return streamNodeBody(this.incoming, this.parsedBody);
  }

  readBody(limit: number): Promise<Uint8Array> {
    return readNodeBody(this.incoming, limit, this.parsedBody);
  }

  get signal(): AbortSignal {
    return (this.#signal ??= signalOf(this.outgoing));
  }

  protected get parsedBody(): unknown {
    return this.incoming.body;
  }
}

function signalOf(outgoing: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const abort = (): void => {
    if (!outgoing.writableFinished) controller.abort();
  };
  // `close` is emitted once, and a client may have disconnected before the signal is first read.
  if (outgoing.closed) abort();
  else outgoing.once('close', abort);
  return controller.signal;
}

/** The text after the `?` of a request target. Servers update `url` when middleware changes the path. */
function queryOf(url: string): string {
  const mark = url.indexOf('?');
  return mark === -1 ? '' : url.slice(mark + 1);
}
