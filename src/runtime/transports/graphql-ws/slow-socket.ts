/** A WebSocket with back-pressure: it disconnects a client that reads too slowly for too long, and sends a result to many subscribers that is encoded once. */

import type { Writable } from 'node:stream';
import type { WebSocket as ProtocolSocket } from 'graphql-ws';
import { WebSocket } from 'ws';
import { onExpiry } from '../../graphql/index.js';
import type { FormattedExecutionResult } from 'graphql';

/** The maximum time for a client to answer a close, in milliseconds. */
const farewellMs = 5_000;

export interface SlowSocketOptions {
  /** The number of unsent bytes at which the source is paused; 256 KiB unless given. */
  readonly maxWaitingBytes?: number;
  /** The maximum time for a client to read pending data, in milliseconds; 10 seconds unless given. */
  readonly patienceMs?: number;
  /** Called with faults of the service; the client gets only the close code 4500. */
  readonly report: (error: unknown) => void;
}

export class SlowSocket implements ProtocolSocket {
  readonly protocol: string;
  readonly #gone: Promise<void>;
  /** The number of messages that wait for the client to read. */
  #blocked = 0;
  #isAlive = true;
  #expiry: NodeJS.Timeout | undefined;

  /** @param stream - the stream that the socket writes to; without compression, the socket itself buffers nothing */
  constructor(
    private readonly socket: WebSocket,
    private readonly stream: Writable,
    private readonly options: SlowSocketOptions,
  ) {
    this.protocol = socket.protocol;
    this.#gone = new Promise((resolve) => socket.once('close', () => resolve()));
    // For a message that is too large or not UTF-8, `ws` closes the connection with the matching code.
    socket.on('error', () => undefined);
    socket.on('pong', () => (this.#isAlive = true));
  }

  /**
   * While too much data is pending, senders wait, and no messages are read from this client, so that it cannot request more than
   * it reads.
   *
   * @param message - in UTF-8, which may be sent to many
   */
  send(message: string | Uint8Array): Promise<void> | undefined {
    if (this.socket.readyState !== WebSocket.OPEN) return undefined;
    const { maxWaitingBytes = 256 * 1024, patienceMs = 10_000 } = this.options;
    if (this.stream.writableLength + message.length <= maxWaitingBytes) {
      this.socket.send(message, TEXT);
      return undefined;
    }
    return new Promise((resolve) => {
      if (this.#blocked++ === 0) this.socket.pause();
      const impatience = setTimeout(() => this.giveUp(), patienceMs);
      // On a closed connection, the callback gets an error, and the senders stop waiting too.
      this.socket.send(message, TEXT, () => {
        clearTimeout(impatience);
        this.#blocked -= 1;
        if (this.#blocked === 0) {
          this.#isAlive = true;
          this.socket.resume();
        }
        resolve();
      });
    });
  }

  onMessage(handle: (message: string) => Promise<void>): void {
    this.socket.on('message', (data, isBinary) => {
      if (this.socket.readyState !== WebSocket.OPEN) return;
      if (isBinary) void this.close(4400, 'Invalid message received');
      else handle(String(data as Buffer)).catch((error: unknown) => this.#fail(error));
    });
  }

  /** Resolves when the connection is closed. */
  close(code = 1000, reason = ''): Promise<void> {
    // While reading is paused, the client's answer to the close would not arrive.
    this.socket.resume();
    // As many whole characters as fit.
    const { read } = new TextEncoder().encodeInto(reason, new Uint8Array(MAX_REASON));
    this.socket.close(code, reason.slice(0, read));
    const impatience = setTimeout(() => this.socket.terminate(), farewellMs);
    return this.#gone.finally(() => clearTimeout(impatience));
  }

  refuse(): void {
    void this.close(1013, 'Try again later');
  }

  giveUp(reason = 'The client reads too slowly'): void {
    void this.close(1013, reason);
  }

  /** Closes the connection because its credential is no longer valid. */
  expire(reason = 'Invalid token'): void {
    void this.close(4403, reason);
  }

  expireAt(moment: Date): void {
    if (this.socket.readyState === WebSocket.CLOSED) return;
    this.#expiry = onExpiry(moment, () => this.expire());
  }

  /** Called at every keep-alive interval: a client that did not answer the last ping is disconnected. */
  checkAlive(): void {
    if (this.#blocked > 0) return; // its pong may not have been read yet, and slow clients have their own time limit
    if (!this.#isAlive) {
      this.socket.terminate();
      return;
    }
    this.#isAlive = false;
    this.socket.ping();
  }

  closed(): void {
    clearTimeout(this.#expiry);
  }

  #fail(error: unknown): void {
    // graphql-ws throws this for message types that only a server may send.
    if (error instanceof Error && error.message.startsWith('Unexpected message of type')) {
      void this.close(4400, 'Invalid message received');
      return;
    }
    this.options.report(error);
    void this.close(4500, 'Internal server error');
  }
}

/** The maximum size of a close reason in bytes of UTF-8 (RFC 6455 §5.5); `ws` throws for more. */
const MAX_REASON = 123;

const TEXT = { binary: false } as const;

/** The last message of a result, which is sent to all subscribers whose operations have its id: most are called `1`. */
interface Encoded {
  readonly payload: string;
  readonly id: string;
  readonly message: Uint8Array;
}

/** Encoded results, each released with its result. */
const encoded = new WeakMap<FormattedExecutionResult, Encoded>();

/** Sends a result of a subscription, which is encoded once for all subscribers. @returns a promise if the client must read before more is sent */
export function sendNext(
  socket: SlowSocket,
  id: string,
  result: FormattedExecutionResult,
): Promise<void> | undefined {
  let last = encoded.get(result);
  if (last?.id !== id) {
    const payload = last?.payload ?? JSON.stringify(result);
    const message = Buffer.from(`{"id":${JSON.stringify(id)},"type":"next","payload":${payload}}`);
    encoded.set(result, (last = { payload, id, message }));
  }
  return socket.send(last.message);
}
