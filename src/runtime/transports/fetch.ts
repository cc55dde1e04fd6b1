/** Puts a REST engine behind the Fetch standard: a `Request` in, a `Response` out, on whatever runtime has them. */

import {
  Problem,
  type RequestHeaders,
  type RestEngine,
  type RestRequest,
  type RestResponse,
} from '../index.js';
import { tooLarge } from './body/too-large.js';

/**
 * A function that answers every request by the contract.
 *
 * @example
 * ```ts
 * const answer = fetchTransport(engine);
 * const response = await answer(new Request('https://example.com/api/users/1'));
 * ```
 */
export function fetchTransport<Caller>(engine: RestEngine<Caller>): (request: Request) => Promise<Response> {
  return async (request) => toResponse(request.method, await engine.handle(new FetchRequest(request)));
}

class FetchRequest implements RestRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: RequestHeaders;

  constructor(private readonly request: Request) {
    const { pathname, search } = new URL(request.url);
    this.method = request.method;
    this.path = pathname;
    this.query = search.slice(1);
    this.headers = headersOf(request);
  }

  async readBody(limit: number): Promise<Uint8Array> {
    if (this.request.bodyUsed) throw new Error('the request body was read before the contract saw it');
    const chunks: Uint8Array[] = [];
    let length = 0;
    try {
      // The types of Node do not say what a body's stream is made of.
      const stream: AsyncIterable<Uint8Array> | null = this.request.body;
      for await (const chunk of stream ?? []) {
        length += chunk.length;
        // Leaving the loop cancels the stream.
        if (length > limit) throw tooLarge(limit);
        chunks.push(chunk);
      }
    } catch (error) {
      // An error of the stream is the connection's, not ours.
      throw error instanceof Problem ? error : new Problem(400, 'The request ended before its body did');
    }
    return chunks.length === 1 && chunks[0] ? chunks[0] : joined(chunks, length);
  }
}

/** A request that was made in this process has no length yet; whether it has a body, the engine sees by its headers. */
function headersOf({ headers, body }: Request): RequestHeaders {
  const fields: Record<string, string> = Object.fromEntries(headers);
  const isFramed = 'content-length' in fields || 'transfer-encoding' in fields;
  return body === null || isFramed ? fields : { ...fields, 'transfer-encoding': 'chunked' };
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

/** Statuses for which the standard refuses a body, also an empty one (Fetch, "null body status"). */
const WITHOUT_BODY = new Set([204, 205, 304]);

function toResponse(method: string, { status, headers, body }: RestResponse): Response {
  const fields = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    for (const each of typeof value === 'string' ? [value] : value) fields.append(name, each);
  }
  if (WITHOUT_BODY.has(status)) return new Response(null, { status, headers: fields });
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : (body ?? new Uint8Array());
  fields.set('Content-Length', String(bytes.length));
  return new Response(method === 'HEAD' || bytes.length === 0 ? null : bytes, { status, headers: fields });
}
