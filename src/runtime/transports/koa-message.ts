/** Translates between Koa's context and the engine's messages. */

import type { Context } from 'koa';
import type { RequestHeaders, RestRequest, RestResponse } from '../index.js';
import { readNodeBody } from './body/read-node-body.js';

/** A request of Koa's, as the engine sees it. */
export class KoaRequest implements RestRequest {
  readonly method: string;
  readonly query: string;
  readonly headers: RequestHeaders;

  /** @param path - the path within the contract: without a prefix that the router is mounted at */
  constructor(
    private readonly context: Context,
    readonly path: string,
  ) {
    const { req } = context;
    this.method = req.method ?? 'GET';
    this.query = queryOf(req.url ?? '');
    this.headers = req.headers;
  }

  /** Koa knows which proxies are trusted: `app.proxy` and `app.maxIpsCount`. It is empty once the client is gone. */
  get address(): string | undefined {
    return this.context.ip || undefined;
  }

  readBody(limit: number): Promise<Uint8Array> {
    return readNodeBody(this.context.req, limit);
  }
}

/** What follows the `?` of a request target. Koa keeps `req.url` in step when middleware changes the path. */
function queryOf(url: string): string {
  const mark = url.indexOf('?');
  return mark === -1 ? '' : url.slice(mark + 1);
}

/**
 * The path of a request: what Koa's `path` is, without parsing the whole URL where it is a plain path. Empty where the
 * target is no address, for which Koa has no path or throws.
 */
export function pathOf(context: Pick<Context, 'req' | 'path'>): string {
  const url = context.req.url ?? '';
  if (!url.startsWith('/')) return pathOfAddress(context);
  const mark = url.indexOf('?');
  return mark === -1 ? url : url.slice(0, mark);
}

/** A proxy's request has a whole URL for its target (RFC 9112 §3.2.2). */
function pathOfAddress(context: Pick<Context, 'path'>): string {
  try {
    const { path } = context as { readonly path: string | null };
    return path ?? '';
  } catch {
    return '';
  }
}

/** Writes a response into Koa's context; Koa sends it, and leaves the body out for HEAD. */
export function sendResponse(context: Context, { status, headers, body }: RestResponse): void {
  context.status = status;
  for (const name in headers) {
    const value = toMutable(headers[name] ?? '');
    // Middleware in front, such as CORS, may have said of itself what answers depend on.
    if (name === 'Vary' && context.res.hasHeader(name)) context.vary(value);
    else context.res.setHeader(name, value);
  }
  if (body !== undefined) {
    context.body = typeof body === 'string' ? countable(body) : bufferOf(body);
    return;
  }
  // A body of null would make Koa answer 204; an empty one keeps the status, and then needs no type.
  context.body = '';
  context.remove('Content-Type');
}

/** Koa knows Buffers; any other view of bytes it would write as JSON. */
function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/**
 * Koa counts the bytes of a string, which Node does ten times more slowly than it copies them: 8 kB in 30 µs (Node 20). A
 * short text is better left as it is, because Node then writes it in one piece with the headers.
 */
function countable(text: string): string | Buffer {
  return text.length > 2000 ? Buffer.from(text) : text;
}

function toMutable(value: string | readonly string[]): string | string[] {
  return typeof value === 'string' ? value : [...value];
}
