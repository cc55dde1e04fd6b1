/** A WebSocket with back-pressure: it disconnects a client that reads too slowly for too long, and sends a result to many subscribers that is encoded once. */

import { Socket } from 'node:net';
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
  readonly #maxWaitingBytes: number;
  readonly #patienceMs: number;
  readonly #report: (error: unknown) => void;
  readonly #gone: Promise<void>;
  /** The number of messages that wait for the client to read. */
  #blocked = 0;
  #isAlive = true;
  #expiry: NodeJS.Timeout | undefined;

  /** @param stream - the stream that the socket writes to; without compression, the socket itself buffers nothing */
  constructor(
    private readonly socket: WebSocket,
    private readonly stream: Writable,
    { maxWaitingBytes, patienceMs, report }: SlowSocketOptions,
  ) {
    this.protocol = socket.protocol;
    this.#maxWaitingBytes = maxWaitingBytes ?? 256 * 1024;
    this.#patienceMs = patienceMs ?? 10_000;
    this.#report = report;
    this.#gone = new Promise((resolve) => socket.once('close', () => resolve()));
    // For a message that is too large or not UTF-8, `ws` closes the connection with the matching code.
    socket.on('error', () => undefined);
    socket.on('pong', () => (this.#isAlive = true));
  }

  /**
   * Sends a text message in a single write: `ws` would write the header of a frame and its payload separately.
   *
   * While too much data is pending, senders wait, and no messages are read from this client, so that it cannot request more than
   * it reads.
   *
   * @param frame - the message as {@link textFrame}, which may be sent to many
   */
  sendFrame(frame: Uint8Array): Promise<void> | undefined {
    if (this.socket.readyState !== WebSocket.OPEN) return undefined;
    const waits = this.stream.writableLength + frame.length > this.#maxWaitingBytes;
    if (!waits) {
      this.stream.write(frame);
      return undefined;
    }
    return new Promise((resolve) => {
      if (this.#blocked++ === 0) this.socket.pause();
      const impatience = setTimeout(() => this.giveUp(), this.#patienceMs);
      // On a closed connection, the callback gets an error, and the senders stop waiting too.
      this.stream.write(frame, () => {
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

  /** Whether the operating system has all frames, so that none of them is read any more. Other streams may pass frames on. */
  get isFlushed(): boolean {
    return this.stream instanceof Socket && this.stream.writableLength === 0;
  }

  send(message: string): Promise<void> | undefined {
    return this.sendFrame(textFrame(Buffer.from(message)));
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
    this.#report(error);
    void this.close(4500, 'Internal server error');
  }
}

/** The maximum size of a close reason in bytes of UTF-8 (RFC 6455 §5.5); `ws` throws for more. */
const MAX_REASON = 123;

const FINAL_TEXT = 0x81;
/** Lengths up to this are in the second byte of the header; larger ones follow it in two or eight bytes. */
const LARGEST_SHORT = 125;
const IN_TWO_BYTES = 126;
const IN_EIGHT_BYTES = 127;

/** @returns one frame of the concatenated parts, which are UTF-8 */
export function textFrame(...parts: readonly Uint8Array[]): Buffer {
  let length = 0;
  for (const part of parts) length += part.length;
  const headerLength = length <= LARGEST_SHORT ? 2 : length <= 0xffff ? 4 : 10;
  const frame = Buffer.allocUnsafe(headerLength + length);
  frame[0] = FINAL_TEXT;
  if (headerLength === 2) {
    frame[1] = length;
  } else if (headerLength === 4) {
    frame[1] = IN_TWO_BYTES;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = IN_EIGHT_BYTES;
    frame.writeUIntBE(0, 2, 2);
    frame.writeUIntBE(length, 4, 6);
  }
  let at = headerLength;
  for (const part of parts) {
    frame.set(part, at);
    at += part.length;
  }
  return frame;
}

/** The last message of a result. */
interface Encoded {
  /** The end of all its messages, from the payload on; only the id before it differs. */
  readonly end: Buffer;
  readonly frame: Buffer;
  /** The length of the frame before its end, without its header. */
  readonly startLength: number;
  id: string;
  /** Whether a socket may still read the frame. */
  isHeld: boolean;
}

/** Encoded results, each released with its result. */
const encoded = new WeakMap<FormattedExecutionResult, Encoded>();

/** The `next` messages of a subscription. */
export class NextMessages {
  readonly #start: Buffer;

  constructor(
    private readonly socket: SlowSocket,
    private readonly id: string,
  ) {
    this.#start = Buffer.from(`{"id":${JSON.stringify(id)},"type":"next","payload":`);
  }

  /** @returns a promise if the client must read before more is sent */
  send(result: FormattedExecutionResult): Promise<void> | undefined {
    const message = this.#messageOf(result);
    const waiting = this.socket.sendFrame(message.frame);
    message.isHeld ||= !this.socket.isFlushed;
    return waiting;
  }

  /** Ids mostly are equal (`1`) or as long as each other (UUIDs). Copies of the payload for all would cost more than sending them. */
  #messageOf(result: FormattedExecutionResult): Encoded {
    const { id } = this;
    const startLength = this.#start.length;
    const known = encoded.get(result);
    if (known?.id === id) return known;
    if (known?.isHeld === false && known.startLength === startLength) {
      known.frame.set(this.#start, known.frame.length - known.end.length - startLength);
      known.id = id;
      return known;
    }
    const end = known?.end ?? Buffer.from(`${JSON.stringify(result)}}`);
    const message = { end, frame: textFrame(this.#start, end), startLength, id, isHeld: false };
    encoded.set(result, message);
    return message;
  }
}
