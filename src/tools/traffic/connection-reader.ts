/** Reads the exchanges of a connection: pairs its requests with its responses, which come in the same order (RFC 9112 §9.3). */

import type { PassedExchange } from '@concordat/runtime/observe';
import { type MessageHead, MessageReader } from './message-reader.js';

/** A request as it was sent. */
export interface RequestHead {
  readonly method: string;
  /** The path and the query. */
  readonly target: string;
  readonly headers: MessageHead['headers'];
  /** The address of the client. */
  readonly address: string;
}

/** An exchange that passes, of which an observer or a recorder reads a copy. */
export interface TappedExchange extends Omit<PassedExchange, 'end'> {
  readonly end: (status: number, headers: MessageHead['headers']) => void;
}

/** A request whose response has not passed, or whose own bytes have not. */
export interface PendingExchange extends RequestHead {
  /** Undefined if it is only passed on. */
  readonly exchange: TappedExchange | undefined;
  /** Whether all bytes of the request are read. */
  isRead: boolean;
  isAnswered: boolean;
  answer?: { readonly status: number; readonly headers: MessageHead['headers'] };
}

/** More requests without a response are not read. */
const MOST_PIPELINED = 100;

export class ConnectionReader {
  readonly request: MessageReader;
  readonly response: MessageReader;
  #pending: PendingExchange[] = [];
  #latest: PendingExchange | undefined;
  #isTunnel = false;
  #wake: () => void = () => undefined;

  constructor(address: string, open: (request: RequestHead) => TappedExchange | undefined) {
    this.request = new MessageReader({
      head: ({ startLine, headers }) => {
        const [, method, target] = /^([\w!#$%&'*+.^`|~-]+) (\S+) HTTP\/1\.[01]$/.exec(startLine) ?? [];
        if (method === undefined || target === undefined || this.#pending.length >= MOST_PIPELINED)
          return undefined;
        const head = { method, target, headers, address };
        this.#latest = { ...head, exchange: open(head), isRead: false, isAnswered: false };
        this.#pending.push(this.#latest);
        return { sample: this.#latest.exchange?.request };
      },
      end: () => {
        if (this.#latest !== undefined) this.#latest.isRead = true;
        this.#complete();
      },
    });
    const unanswered = () => this.#pending.find(({ isAnswered }) => !isAnswered);
    this.response = new MessageReader({
      head: ({ startLine, headers }) => {
        const status = Number(/^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(startLine)?.[1] ?? 0);
        const pending = unanswered();
        if (status === 0 || pending === undefined) return undefined;
        if (status === 101 || (pending.method === 'CONNECT' && status < 300)) {
          this.#isTunnel = true;
          this.stop();
          return undefined;
        }
        pending.answer = { status, headers };
        const isNone = status < 200 || status === 204 || status === 304 || pending.method === 'HEAD';
        return { sample: pending.exchange?.response, isNone };
      },
      end: () => {
        const pending = unanswered();
        // Informational responses come before the response itself.
        if (pending?.answer === undefined || pending.answer.status < 200) return;
        pending.isAnswered = true;
        this.#complete();
      },
    });
  }

  /** Reads bytes of responses. Where they cannot be understood, nothing of the connection is read any more. */
  readResponse(chunk: Buffer): void {
    this.response.write(chunk);
    if (this.response.isLost && this.#pending.length > 0) this.stop();
  }

  /** The request of which the last head was read. */
  get latest(): PendingExchange | undefined {
    return this.#latest;
  }

  /** Whether the connection has another protocol now. */
  get isTunnel(): boolean {
    return this.#isTunnel;
  }

  /** Resolves when no response must pass before that to the latest request. */
  alone(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      this.#complete();
    });
  }

  /** Forgets the latest request, which is over. */
  withdraw(): void {
    this.#pending = this.#pending.filter((each) => each !== this.#latest);
  }

  stop(): void {
    this.request.stop();
    this.response.stop();
    for (const { exchange } of this.#pending) exchange?.breakOff();
    this.#pending = [];
    this.#wake();
  }

  #complete(): void {
    for (;;) {
      const [first] = this.#pending;
      if (first?.isRead !== true || !first.isAnswered || first.answer === undefined) break;
      this.#pending.shift();
      first.exchange?.end(first.answer.status, first.answer.headers);
    }
    if (this.#pending.every((each) => each === this.#latest)) this.#wake();
  }
}
