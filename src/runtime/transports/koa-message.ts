/** Translates between Koa's context and the messages of handlers. */

import type { Context } from 'koa';
import { type HttpResponse, discardBody, isStreamed } from '../http/message.js';
import { BodyStream } from './node/body-stream.js';
import { breakOffOn } from './node/break-off.js';
import { NodeRequest } from './node/node-request.js';

/** A request of Koa's, as handlers see it. */
export class KoaRequest extends NodeRequest {
  /** @param path - the path within the handler: without a prefix that it is mounted at */
  constructor(
    private readonly context: Context,
    path: string,
  ) {
    super(context.req, context.res, path);
  }

  /** Koa knows which proxies are trusted: `app.proxy` and `app.maxIpsCount`. It is empty once the client is gone. */
  override get address(): string | undefined {
    return this.context.ip || undefined;
  }

  /** Parsers of Koa's leave the body on its own request; those of other frameworks on Node's. */
  protected override get parsedBody(): unknown {
    return (this.context.request as { readonly body?: unknown }).body ?? super.parsedBody;
  }
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
export function sendResponse(context: Context, response: HttpResponse): void {
  const { status, headers, body } = response;
  context.status = status;
  for (const name in headers) {
    const value = toMutable(headers[name] ?? '');
    // Middleware in front, such as CORS, may have said of itself what answers depend on.
    if (name === 'Vary' && context.res.hasHeader(name)) context.vary(value);
    else context.res.setHeader(name, value);
  }
  const { operation, graphqlOperation } = response;
  // For the middleware in front, whose log would otherwise know nothing but the path.
  if (operation !== undefined) context.state['operation'] = operation;
  if (graphqlOperation !== undefined) context.state['graphqlOperation'] = graphqlOperation;
  if (isStreamed(body)) {
    sendStream(context, response, body);
    return;
  }
  if (body !== undefined) {
    context.body = typeof body === 'string' ? countable(body) : bufferOf(body);
    return;
  }
  // A body of null would make Koa answer 204; an empty one keeps the status, and then needs no type.
  context.body = '';
  context.remove('Content-Type');
}

/** A stream of Node's, so that middleware around can compress it; Koa destroys it when the response is over. */
function sendStream(context: Context, response: HttpResponse, body: AsyncIterable<Uint8Array>): void {
  const { res, method } = context;
  if (method === 'HEAD') {
    discardBody(response);
    return;
  }
  const hasType = res.hasHeader('Content-Type');
  const stream = new BodyStream(body);
  context.body = stream;
  if (!hasType) context.remove('Content-Type');
  // The head goes before the first piece, which may be long in coming.
  res.once('pipe', () => res.flushHeaders());
  // Koa reports the error; Koa 2 would leave the response open.
  stream.once('error', () => res.destroy());
  const onerror = context.onerror.bind(context);
  context.onerror = (error: NodeJS.ErrnoException | null) => {
    // Clients leave streams all the time: Koa would report each of them.
    if (error?.code !== 'ERR_STREAM_PREMATURE_CLOSE') onerror(error as Error);
  };
  breakOffOn(response.signal, res);
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
