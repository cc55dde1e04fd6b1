/** Sends one HTTP request exactly as given: paths are not normalised, and only the headers that HTTP requires are added. */
import { Agent, type IncomingHttpHeaders, request as openRequest } from 'node:http';

export interface HttpRequest {
  readonly method: string;
  /** The request target with its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Text and bytes are sent with `Content-Length`, a list of pieces is sent chunked. */
  readonly body?: string | Uint8Array | readonly (string | Uint8Array)[];
  /** Ends the request, and its connection, before its answer. */
  readonly signal?: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The body as UTF-8. */
  readonly text: string;
}

// Connections are reused, as clients do, so that a refused body that breaks the next request is noticed.
const agent = new Agent({ keepAlive: true });

/** Closes the idle connections, for which a service waits when it stops. */
export function closeIdleConnections(): void {
  // Not `destroy` of the agent, which also ends requests in flight.
  for (const sockets of Object.values(agent.freeSockets))
    for (const socket of sockets ?? []) socket.destroy();
}

/** Sends the request and waits for the whole answer. @param base - such as `http://127.0.0.1:3000` */
export function send(
  base: string,
  { method, path, headers = {}, body, signal }: HttpRequest,
): Promise<HttpAnswer> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const request = openRequest({
      agent,
      hostname,
      port,
      method,
      path,
      headers: mutable(headers),
      ...(signal && { signal }),
    });
    request.once('error', reject);
    request.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        const { statusCode = 0, headers } = response;
        resolve({ status: statusCode, headers, text: Buffer.concat(chunks).toString() });
      });
    });
    if (typeof body === 'string' || body instanceof Uint8Array) {
      // Node omits the length for methods that usually have no body.
      if (!request.hasHeader('content-length')) request.setHeader('content-length', Buffer.byteLength(body));
      request.end(body);
      return;
    }
    for (const piece of body ?? []) request.write(piece);
    request.end();
  });
}

function mutable(headers: NonNullable<HttpRequest['headers']>): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]),
  );
}
