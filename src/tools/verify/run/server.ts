/** The server of a run: sends requests unchanged, over HTTP or as the messages of a WebSocket, within a budget. */

import { EventEmitter, once } from 'node:events';
import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { CheckedAnswer } from '@concordat/runtime/testing';
import type { WireRequest } from '../../running/wire-request.js';

/** How long an answer may take, in milliseconds. */
const PATIENCE = 10_000;
/** The most of an answer that is read, in bytes, because it may have no end. */
const LARGEST_ANSWER = 64 * 1024 * 1024;
/** How long a stream is read, in milliseconds, and how much of it, in bytes, because it may have no end. */
const STREAM_PATIENCE = 300;
const STREAM_SIZE = 65_536;
/** How long a server gets for what it does not report, such as the start of a subscription, in milliseconds. */
const SETTLING = 30;
/** How long the handshake of a WebSocket may take, in milliseconds. A server may leave an unsupported upgrade unanswered. */
const HANDSHAKE = 2000;
/** How long the first message over a WebSocket, or its close, may take, in milliseconds. */
const MESSAGE_PATIENCE = 3000;

const STREAMS =
  /^(?:text\/event-stream|application\/(?:jsonl|x-ndjson|x-jsonlines)|[^;]*[/+]json-seq|multipart\/)/;
const IS_PING = /^\s*\{\s*"type"\s*:\s*"ping"/;
/** A message that ends a subscription. */
const IS_END = /"type"\s*:\s*"(?:complete|error)"/;
const IS_EVENT = /"type"\s*:\s*"next"/;

export interface Budget {
  /** The most requests. */
  readonly requests: number;
  readonly seconds: number;
}

/** An answer, or the reason why there is none. */
export type Answer = ServerAnswer | { readonly failure: string; readonly isRefused: boolean };

interface ServerAnswer extends CheckedAnswer {
  /** Present if the server ended a WebSocket connection. */
  readonly closed?: { readonly code: number; readonly reason: string };
}

/** A request that was sent, and what came back. */
export interface Exchange {
  readonly url: string;
  readonly request: WireRequest;
  readonly answer: Answer;
  readonly started: Date;
  readonly milliseconds: number;
}

/** Causes the events of a subscription: it is called when the stream is open, and the stream is read until an event comes. */
export type Cause = () => Promise<unknown>;

/** Whether the answer is the contract's example from a mock, which keeps no state; the answers of a sandbox have `X-Mock: state`. */
export const isMocked = (answer: Answer): boolean =>
  'status' in answer && answer.headers['x-mock'] === 'true';

/** The address of a request at a server. */
export const addressOf = (base: string, { path, query }: WireRequest): string =>
  `${base.replace(/\/$/, '')}${path}${query === '' ? '' : `?${query}`}`;

export class Server {
  /** The number of requests sent. */
  requests = 0;
  readonly #agent: HttpAgent;
  #deadline: number;

  /**
   * @param url - to which the paths of requests are appended
   * @param seen - is called with each exchange
   */
  constructor(
    readonly url: string,
    private readonly budget: Budget,
    private readonly seen?: (exchange: Exchange) => void,
  ) {
    const Agent = url.startsWith('https:') ? HttpsAgent : HttpAgent;
    this.#agent = new Agent({ keepAlive: true });
    this.#deadline = performance.now() + budget.seconds * 1000;
  }

  /** Whether the budget is spent. */
  get isOver(): boolean {
    return this.requests >= this.budget.requests || performance.now() > this.#deadline;
  }

  /** Spends the rest of the budget. */
  end(): void {
    this.#deadline = 0;
  }

  /** @throws an Error if no server answers */
  async send(request: WireRequest, cause?: Cause): Promise<Answer> {
    this.requests += 1;
    const seen = this.#watch(addressOf(this.url, request), request);
    let answer = await this.#sent(request, cause);
    // A server may close a kept-alive connection just as it is reused.
    const isClosed = 'failure' in answer && /ECONNRESET|socket hang up|EPIPE/.test(answer.failure);
    if (isClosed) answer = await this.#sent(request, cause);
    if ('failure' in answer && answer.isRefused) throw new Error(`No server answers at ${this.url}`);
    return seen(answer);
  }

  /** @returns what to call with the answer, which returns it */
  #watch(url: string, request: WireRequest): <Each extends Answer>(answer: Each) => Each {
    const started = new Date();
    const before = performance.now();
    return (answer) => {
      this.seen?.({ url, request, answer, started, milliseconds: performance.now() - before });
      return answer;
    };
  }

  close(): void {
    this.#agent.destroy();
  }

  /** Sends path and body unchanged, and follows no redirect. */
  #sent(wire: WireRequest, cause?: Cause): Promise<Answer> {
    const url = new URL(this.url);
    return new Promise((resolve) => {
      const failed = (error: NodeJS.ErrnoException): void => {
        clearTimeout(timer);
        sent.destroy();
        resolve({ failure: error.message, isRefused: error.code === 'ECONNREFUSED' });
      };
      const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
      const length = wire.body === undefined ? {} : { 'content-length': Buffer.byteLength(wire.body) };
      const options = {
        hostname: url.hostname.replace(/^\[|\]$/g, ''),
        port: url.port,
        path: addressOf(url.pathname, wire),
        method: wire.method,
        agent: this.#agent,
        headers: { ...wire.headers, ...length },
      };
      let isAnswered = false;
      const sent = send(options, (message) => {
        isAnswered = true;
        const read = readAnswer(message, cause);
        read.finally(() => clearTimeout(timer)).then(resolve, failed);
      });
      // For all of it, because a server may send something for ever, or nothing that Node reports.
      const late = (): void => failed(new Error(`no answer within ${PATIENCE / 1000} s`));
      const timer = setTimeout(late, PATIENCE);
      sent.on('error', failed);
      // Without an error too: after 101, for example.
      sent.on('close', () => {
        if (!isAnswered) failed(new Error('the connection was closed without an answer'));
      });
      sent.end(wire.body);
    });
  }

  /**
   * Sends the messages of a request over WebSocket, which are the lines of its body: the first one, and the others after it is
   * answered. Pings of the server are answered.
   *
   * @returns the server's messages, one per line, and a last line such as `closed 4400 Bad request` if it ended the connection;
   *   undefined if it has no WebSocket of that protocol at that path
   */
  async converse(wire: WireRequest, cause?: Cause): Promise<Answer | undefined> {
    this.requests += 1;
    const said: string[] = [];
    const events = new EventEmitter();
    const write = (line: string): void => {
      said.push(line);
      events.emit('line');
    };
    const end: Pick<ServerAnswer, 'closed'> = {};
    const isClosed = (): boolean => end.closed !== undefined;
    const until = async (isSo: () => boolean, milliseconds: number): Promise<void> => {
      const signal = AbortSignal.timeout(milliseconds);
      while (!isSo() && !isClosed() && !signal.aborted)
        await once(events, 'line', { signal }).catch(() => undefined);
    };
    const { 'sec-websocket-protocol': protocol, ...headers } = wire.headers;
    const address = addressOf(this.url, wire).replace(/^http/, 'ws');
    const seen = this.#watch(address, wire);
    const options = { headers, handshakeTimeout: HANDSHAKE, perMessageDeflate: false };
    const socket = new WebSocket(address, protocol, options);
    socket.on('message', (data: Buffer) => {
      const text = data.toString();
      write(text.replaceAll('\n', ' '));
      if (IS_PING.test(text)) socket.send('{"type":"pong"}');
    });
    socket.on('close', (code, reason) => {
      Object.assign(end, { closed: { code, reason: reason.toString() } });
      write(`closed ${code} ${reason.toString()}`.trimEnd());
    });
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.on('open', () => resolve(true));
      // A connection that fails later also emits `close`, with 1006.
      socket.on('error', () => resolve(false));
    });
    if (!isOpen) {
      seen({ failure: 'the WebSocket was not opened', isRefused: false });
      return undefined;
    }
    const [first = '', ...others] = (wire.body ?? '').split('\n');
    socket.send(first);
    const isAnswered = (): boolean => said.some((line) => !IS_PING.test(line));
    const isEnded = (): boolean => said.some((line) => IS_END.test(line));
    if (others.length > 0) await until(isAnswered, MESSAGE_PATIENCE);
    if (isAnswered() && !isClosed()) for (const line of others) socket.send(line);
    if (cause !== undefined) {
      await until(isEnded, SETTLING);
      await cause();
    }
    const isOver = (): boolean =>
      isEnded() || (cause !== undefined && said.some((line) => IS_EVENT.test(line)));
    if (others.length === 0 || isAnswered()) await until(isOver, STREAM_PATIENCE);
    await until(isClosed, SETTLING);
    socket.close(1000);
    // A server that does not answer the close must not keep the process alive.
    setTimeout(() => socket.terminate(), MESSAGE_PATIENCE).unref();
    return seen({ status: 101, headers: {}, text: said.join('\n'), ...end });
  }
}

async function readAnswer(message: IncomingMessage, cause?: Cause): Promise<CheckedAnswer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  message.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > LARGEST_ANSWER) message.destroy(new Error(`an answer over ${LARGEST_ANSWER} bytes`));
  });
  const isStream = STREAMS.test(message.headers['content-type'] ?? '');
  if (isStream) cutStream(message, chunks, cause).catch((error: unknown) => message.destroy(error as Error));
  await finished(message).catch((error: unknown) => {
    if (!isStream) throw error;
  });
  const text = Buffer.concat(chunks).toString();
  const isCut = isStream && !message.complete;
  return { status: message.statusCode ?? 0, headers: message.headers, text, ...(isCut && { isCut }) };
}

/** Ends a stream when enough of it was read, or the event that was caused. */
async function cutStream(
  message: IncomingMessage,
  chunks: readonly Buffer[],
  cause: Cause | undefined,
): Promise<void> {
  if (cause !== undefined) {
    await sleep(SETTLING);
    await cause();
  }
  const signal = AbortSignal.timeout(STREAM_PATIENCE);
  const isRead = (): boolean => {
    const text = Buffer.concat(chunks);
    return text.length > STREAM_SIZE || (cause !== undefined && /^data:.*\r?\n\r?\n/m.test(text.toString()));
  };
  while (!isRead() && !signal.aborted && !message.closed)
    await once(message, 'data', { signal }).catch(() => undefined);
  message.destroy();
}
