/** Sends a request that is checked, and sends its answer back. */

import type {
  Agent,
  ClientRequest,
  IncomingHttpHeaders,
  IncomingMessage,
  RequestOptions,
  ServerResponse,
  request as sendPlain,
} from 'node:http';
import type { Socket } from 'node:net';
import { Problem } from '@concordat/runtime';
import type { PassedExchange } from '@concordat/runtime/observe';
import { FRAMING, type Fields, type RequestHead, codingsOf, endToEnd, pairsOf, trailersOf } from './heads.js';
import { discardRest, refuse } from './own-answers.js';

/** The server behind. */
export interface Behind {
  readonly agent: Agent;
  /** Makes a connection for each request. */
  readonly freshAgent: Agent;
  readonly send: typeof sendPlain;
  /** Its host, with the port. */
  readonly name: string;
  /** The event of a connection that can be used. */
  readonly ready: 'connect' | 'secureConnect';
  readonly options: RequestOptions & { readonly servername?: string; readonly ALPNProtocols?: string[] };
}

export interface Passing {
  readonly server: Behind;
  /** Begins to read an exchange; undefined for one that is only passed on. Its end is called after its last byte was passed on. */
  readonly open: (request: RequestHead) => PassedExchange | undefined;
  /** In milliseconds: to connect, also to find the address; without a byte until the answer begins; for a body that is held to be checked. */
  readonly deadlines: { readonly connect: number; readonly answer: number; readonly body: number };
}

export interface Tunnel {
  readonly socket: Socket;
  readonly head: Buffer;
}

const IDEMPOTENT = /^(?:GET|HEAD|OPTIONS|TRACE|PUT|DELETE)$/;

/** An exchange whose request is checked. */
interface Passage {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly head: RequestHead;
  readonly exchange: PassedExchange | undefined;
  /** The beginning of its body. */
  readonly held: readonly Buffer[];
  readonly expects: boolean;
  readonly tunnel: Tunnel | undefined;
}

/** Sends a request that is checked, and sends its answer back. */
export class Relay {
  #sent: ClientRequest | undefined;
  /** The head of the server's answer. */
  #answer: { readonly status: number; readonly headers: Fields } | undefined;
  #hasFailed = false;

  constructor(
    private readonly passing: Passing,
    private readonly passage: Passage,
  ) {}

  /** @throws an error of Node for a head that cannot be written */
  start(): void {
    const { request, response, exchange, head, held, tunnel } = this.passage;
    const sent = this.#send(tunnel === undefined);
    response.once('close', () => this.#close());
    request.on('error', (error) => this.#fail(error));
    for (const piece of held) sent.write(piece);
    if (isWithoutBody(head) || request.readableEnded) {
      request.resume();
      finish(sent, request);
      return;
    }
    request.on('data', (piece: Buffer) => exchange?.request?.add(piece));
    request.once('end', () => finish(sent, request));
    request.once('close', () => {
      if (!request.readableEnded) sent.destroy();
    });
    // The client may wait for an answer to its head.
    sent.flushHeaders();
    request.pipe(sent, { end: false });
  }

  #send(mayReuse: boolean): ClientRequest {
    const { server, deadlines } = this.passing;
    const { response, head, expects, tunnel } = this.passage;
    const sent = server.send({
      ...{ ...server.options, agent: mayReuse ? server.agent : server.freshAgent, setHost: false },
      ...{ method: head.method, path: head.target },
      headers: [
        ...head.headers.flat(),
        ...(expects ? ['Expect', '100-continue'] : []),
        ...(tunnel === undefined ? [] : ['Connection', 'Upgrade', 'Upgrade', 'websocket']),
      ],
    });
    this.#sent = sent;
    sent.maxHeadersCount = 0;
    const late = (what: string, ms: number) =>
      this.#fail(this.#noAnswer(`no ${what} within ${ms / 1000} s`, 504));
    const connecting = setTimeout(() => late('connection', deadlines.connect), deadlines.connect);
    let readBefore = 0;
    sent.once('socket', (socket) => {
      readBefore = socket.bytesRead;
      if (sent.reusedSocket) clearTimeout(connecting);
      else socket.once(server.ready, () => clearTimeout(connecting));
    });
    sent.setTimeout(deadlines.answer, () => {
      // A client that is slow is not the server's fault.
      if (sent.writableEnded || sent.writableNeedDrain) late('answer', deadlines.answer);
    });
    sent.once('close', () => clearTimeout(connecting));
    sent.on('error', ({ code, message }: NodeJS.ErrnoException) => {
      // The server had closed the idle connection before it saw the request (RFC 9112 §9.3.1).
      const isReset = /^(?:ECONNRESET|EPIPE)$/.test(code ?? '');
      const isUnseen = sent.reusedSocket && sent.socket?.bytesRead === readBefore && isReset;
      const isRepeatable = IDEMPOTENT.test(head.method) && isWithoutBody(head) && !response.headersSent;
      if (!this.#hasFailed && !response.destroyed && isUnseen && isRepeatable) this.#send(false).end();
      else this.#fail(this.#noAnswer(message === '' ? String(code) : message));
    });
    sent.on('continue', () => {
      if (expects) response.writeContinue();
    });
    sent.on('information', (hints) => this.#hint(hints));
    sent.once('response', (answer) => this.#pass(sent, answer));
    sent.once('upgrade', (answer, socket, first) => {
      if (tunnel === undefined) this.#fail(this.#noAnswer('it changed the protocol unasked'));
      else this.#switch(tunnel, answer, socket, first);
    });
    return sent;
  }

  /** Informational responses that mean something to any client. Those of HTTP/1.0 know none. */
  #hint(hints: { readonly statusCode: number; readonly headers: IncomingHttpHeaders }): void {
    const { statusCode, headers } = hints;
    const { request, response } = this.passage;
    if (response.headersSent || request.httpVersionMinor === 0) return;
    if (statusCode === 102) response.writeProcessing();
    if (statusCode !== 103) return;
    const link = String(headers['link'] ?? '').split(/,\s*(?=<)/);
    try {
      response.writeEarlyHints({ ...headers, link } as Record<string, string | string[]>);
    } catch {
      // Node writes no links of other forms. They are hints.
    }
  }

  #pass(sent: ClientRequest, answer: IncomingMessage): void {
    const { request, response, exchange, expects } = this.passage;
    const { statusCode: status = 0, statusMessage, rawHeaders } = answer;
    const codings = codingsOf(rawHeaders);
    answer.on('error', () => undefined);
    answer.once('close', () => {
      if (!answer.complete) this.#fail(this.#noAnswer('it broke off'));
    });
    if (codings !== undefined && codings !== 'chunked') {
      this.#fail(this.#noAnswer('it has a transfer coding other than chunked'));
      return;
    }
    sent.setTimeout(0);
    const hasBody = request.method !== 'HEAD' && status !== 204 && status !== 304;
    const hasTrailers = codings !== undefined && hasBody && request.httpVersionMinor > 0;
    const headers = endToEnd(rawHeaders, hasTrailers);
    this.#answer = { status, headers };
    // The rest of the body may never come, or be the next request.
    if (expects && !request.complete) response.shouldKeepAlive = false;
    response.sendDate = false;
    try {
      response.writeHead(status, statusMessage, headers.flat());
    } catch {
      // Node reads heads that it does not write, such as those with the status 099.
      this.#answer = undefined;
      response.statusMessage = '';
      this.#fail(this.#noAnswer('its head is not valid'));
      return;
    }
    let hasBegun = false;
    answer.on('data', (piece: Buffer) => {
      hasBegun = true;
      exchange?.response?.add(piece);
    });
    answer.pipe(response, { end: false });
    answer.once('end', () => {
      hasBegun = true;
      if (hasTrailers) response.addTrailers(trailersOf(answer.rawTrailers) as [string, string][]);
      response.end();
    });
    // Events may come much later than the head, and the body of most answers comes with it.
    setImmediate(() => {
      if (!hasBegun) response.flushHeaders();
    });
  }

  /** Passes bytes on from now, which are no HTTP. */
  #switch({ socket: client, head }: Tunnel, answer: IncomingMessage, server: Socket, first: Buffer): void {
    const { response, exchange } = this.passage;
    const lines = pairsOf(answer.rawHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
    response.removeAllListeners('close').detachSocket(client);
    exchange?.breakOff();
    client.write(`HTTP/1.1 101 ${answer.statusMessage ?? ''}\r\n${lines.join('')}\r\n`, 'latin1');
    client.write(first);
    server.write(head);
    for (const [from, to] of [[client, server] as const, [server, client] as const]) {
      from.setTimeout(0).on('error', () => undefined);
      from.once('close', () => {
        if (!from.readableEnded) to.destroy();
      });
      from.pipe(to);
    }
  }

  #noAnswer(reason: string, status = 502): Problem {
    return new Problem(status, `No server answers at ${this.passing.server.name}: ${reason}`);
  }

  #fail(error: Error): void {
    const { request, response } = this.passage;
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#sent?.destroy();
    if (response.writableEnded) discardRest(request);
    else if (response.headersSent) breakOff(response);
    else refuse(request, response, error);
  }

  /** The client has all of the answer, or has gone. */
  #close(): void {
    const { request, response, exchange } = this.passage;
    if (this.#answer === undefined || !response.writableFinished) {
      this.#sent?.destroy();
      exchange?.breakOff();
      return;
    }
    const { status, headers } = this.#answer;
    const end = (): void => {
      if (!request.readableEnded) exchange?.request?.cut();
      exchange?.end(status, headers);
    };
    if (request.readableEnded || request.closed) {
      end();
      return;
    }
    // Node closes no request whose connection closes after its answer.
    const { socket } = request;
    const leave = (): void => void request.destroy();
    if (socket.closed) leave();
    else socket.once('close', leave);
    request.once('close', () => {
      socket.off('close', leave);
      end();
    });
    // The next request of the connection comes after the rest of the body, which the server may not read.
    const discard = (): void => discardRest(request);
    if (this.#sent?.closed === true) discard();
    else this.#sent?.once('close', discard);
  }
}

const isWithoutBody = ({ headers }: RequestHead): boolean =>
  !headers.some(([name, value]) => FRAMING.test(name) && !/^0+$/.test(value));

function finish(sent: ClientRequest, { rawTrailers }: IncomingMessage): void {
  const trailers = trailersOf(rawTrailers);
  if (trailers.length > 0) sent.addTrailers(trailers as [string, string][]);
  sent.end();
}

/** Ends a response that is not complete so that no client takes it for one that is. */
function breakOff({ socket }: ServerResponse): void {
  // The body of a response to HTTP/1.0 ends with its connection.
  socket?.resetAndDestroy();
}
