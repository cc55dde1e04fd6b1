/** A `node:http` request for handlers: its body comes as a stream, whole up to a limit, or from a body parser in front. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { type RequestHeaders, PrintableRequest } from '../../http/message.js';
import { inOnePiece } from '../../http/memory-request.js';
import { brokenOff, Problem, tooLarge } from '../../http/problem.js';
import { essenceOf } from '../../http/media-type.js';
import { whole } from '../../http/read-body.js';
import { formFields, writeParsedForm } from './parsed-form.js';

export { METHODS } from 'node:http';

export class NodeRequest<Host> extends PrintableRequest<Host> {
  readonly method: string;
  readonly path: string;
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  readonly #query: string;
  readonly #host: Host;
  #signal: AbortSignal | undefined = undefined;

  /** @param path - the path within the handler, without its prefix */
  constructor(incoming: IncomingMessage, outgoing: ServerResponse, path: string, host: Host) {
    super();
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.#host = host;
    this.path = path;
    this.method = incoming.method ?? 'GET';
    // Servers update `url` when middleware changes the path.
    const url = incoming.url ?? '';
    const mark = url.indexOf('?');
    this.#query = mark === -1 ? '' : url.slice(mark + 1);
  }

  get query(): string {
    return this.#query;
  }

  get headers(): RequestHeaders {
    return this.#incoming.headers;
  }

  get host(): Host {
    return this.#host;
  }

  get address(): string | undefined {
    return this.#incoming.socket.remoteAddress;
  }

  get body(): AsyncIterable<Uint8Array> {
    return this.#parsedForm() ?? streamNodeBody(this.#incoming, this.#parsedBody());
  }

  readBody(limit: number): Promise<Uint8Array> {
    const form = this.#parsedForm();
    return form === undefined ? readNodeBody(this.#incoming, limit, this.#parsedBody()) : whole(form, limit);
  }

  get signal(): AbortSignal {
    return (this.#signal ??= signalOf(this.#outgoing));
  }

  /** The requests on which body parsers such as `express.json()` put what they have read. */
  protected get parsed(): readonly object[] {
    return [this.#incoming];
  }

  #parsedBody(): unknown {
    return (this.parsed as readonly Parsed[])
      .map(({ body }) => body)
      .find((body) => body !== undefined && body !== null);
  }

  /** The multipart form that a parser has read; undefined if there is none. */
  #parsedForm(): AsyncIterable<Uint8Array> | undefined {
    const contentType = this.#incoming.headers['content-type'] ?? '';
    if (!this.#incoming.readableDidRead || !/^multipart\/form-data/i.test(contentType)) return undefined;
    const body = this.#parsedBody();
    const files = (this.parsed as readonly Parsed[])
      .map((each) => each.files ?? (each.file && [each.file]))
      .find((each) => typeof each === 'object' && each !== null);
    return body === undefined && files === undefined
      ? undefined
      : writeParsedForm(body ?? {}, files, contentType);
  }
}

/** Some parsers, as koa-body, give these types of their own. */
interface Parsed {
  readonly body?: unknown;
  readonly file?: unknown;
  readonly files?: unknown;
}

/** The path of a request. For a proxy, the target is a whole URL (RFC 9112 §3.2.2); other targets match no path. */
export function pathOf({ url: target = '' }: IncomingMessage): string {
  if (!target.startsWith('/') && URL.canParse(target)) return new URL(target).pathname;
  const mark = target.indexOf('?');
  return mark === -1 ? target : target.slice(0, mark);
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

/**
 * Reads the whole body.
 *
 * @param limit - the maximum in bytes
 * @param parsed - the result of a body parser in front, used if the body has already been read
 * @throws a 413 `Problem` past the limit, a 400 when the client disconnects, and an error when the body has been read but there is
 *   no result of a parser
 */
function readNodeBody(request: IncomingMessage, limit: number, parsed?: unknown): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length']) > limit) throw tooLarge(limit);
    if (request.readableEnded) {
      const bytes = writeParsedBody(parsed, request.headers['content-type']);
      if (bytes.length > limit) throw tooLarge(limit);
      resolve(bytes);
      return;
    }
    const chunks: Buffer[] = [];
    let length = 0;
    const breakOff = (): void => {
      reject(faultOf(request));
    };
    // A destroyed request emits no more events.
    if (request.destroyed) breakOff();
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      // A body that is too long is not stored; Node discards the rest once the response is sent.
      if (length > limit) reject(tooLarge(limit));
      else chunks.push(chunk);
    });
    request.once('end', () => {
      // `close` is also emitted after a complete body.
      request.off('close', breakOff);
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
    });
    // An error means that the client disconnected, or that `answerClientErrors` found a fault.
    request.once('error', breakOff);
    request.once('close', breakOff);
  });
}

/** The body as it arrives. @throws the errors of {@link readNodeBody}, while it is read */
async function* streamNodeBody(
  request: IncomingMessage,
  parsed?: unknown,
): AsyncGenerator<Uint8Array, void, void> {
  if (request.readableEnded) {
    yield* inOnePiece(writeParsedBody(parsed, request.headers['content-type']));
    return;
  }
  try {
    // By default, the iterator of a request destroys the connection when reading stops.
    yield* request.iterator({ destroyOnReturn: false });
  } catch {
    throw faultOf(request);
  }
  if (!request.complete) throw faultOf(request);
}

/** The reason why a body ends early: the fault that `answerClientErrors` found in it, or a disconnected client. */
function faultOf({ errored }: IncomingMessage): Problem {
  return errored instanceof Problem ? errored : brokenOff();
}

/**
 * Serialises a body again that a parser in front of a transport has parsed, such as `express.json()` or the default parsers of Nest
 * and Fastify. Handlers then read and check the request like any other.
 *
 * Returns a string or bytes unchanged; writes any other value as a form or as JSON, according to the media type.
 *
 * @throws an error when there is no parsed body, and for multipart forms, whose files are stored elsewhere
 */
export function writeParsedBody(parsed: unknown, contentType = ''): Uint8Array {
  if (parsed instanceof Uint8Array) return parsed;
  if (typeof parsed === 'string') return Buffer.from(parsed);
  const essence = essenceOf(contentType);
  if (parsed === undefined || essence.startsWith('multipart/')) {
    throw new Error(
      'the request body was read before the router saw it: mount body parsers behind it, or elsewhere',
    );
  }
  // `URLSearchParams` writes other values as text.
  const isForm = essence === 'application/x-www-form-urlencoded';
  return Buffer.from(
    isForm
      ? String(new URLSearchParams([...formFields('', parsed)] as [string, string][]))
      : JSON.stringify(parsed),
  );
}
