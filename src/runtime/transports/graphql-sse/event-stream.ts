/** Writes server-sent events into a response, to a client that may read slowly but not for ever. */

import type { ServerResponse } from 'node:http';

export interface EventStreamOptions {
  /** How often a comment keeps the connection open, in milliseconds; 15 seconds unless given. */
  readonly keepAliveMs?: number;
  /** How long a client may take to read what waits, in milliseconds; 10 seconds unless given. */
  readonly patienceMs?: number;
}

/** How long a client may take to read the end. */
const farewellMs = 5_000;

export class EventStream {
  readonly #response: ServerResponse;
  readonly #keepAlive: NodeJS.Timeout;
  readonly #patienceMs: number;

  /** Sends the head and a comment at once: some browsers take a stream for open only when there is a byte. */
  constructor(response: ServerResponse, { keepAliveMs = 15_000, patienceMs = 10_000 }: EventStreamOptions) {
    this.#response = response;
    this.#patienceMs = patienceMs;
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no',
    });
    response.write(':\n\n');
    this.#keepAlive = setInterval(() => response.writableNeedDrain || response.write(':\n\n'), keepAliveMs);
    response.once('close', () => {
      clearInterval(this.#keepAlive);
    });
  }

  /** Resolves when the client has room for more, or is gone, or takes longer than it may. */
  async send(event: Buffer): Promise<'sent' | 'too slow'> {
    const response = this.#response;
    if (!this.isOpen || response.write(event)) return 'sent';
    return await new Promise((resolve) => {
      const goOn = (outcome: 'sent' | 'too slow'): void => {
        clearTimeout(impatience);
        response.off('drain', hasRoom).off('close', hasRoom);
        resolve(outcome);
      };
      const hasRoom = (): void => goOn('sent');
      const impatience = setTimeout(() => goOn('too slow'), this.#patienceMs);
      response.on('drain', hasRoom).on('close', hasRoom);
    });
  }

  get isOpen(): boolean {
    return !this.#response.destroyed && !this.#response.writableEnded;
  }

  /** Ends the stream with what is said last. Ending is no way to stay: who does not read it is disconnected. */
  end(last = Buffer.of()): void {
    clearInterval(this.#keepAlive);
    if (!this.isOpen) return;
    const impatience = setTimeout(() => this.#response.destroy(), farewellMs);
    this.#response.once('close', () => clearTimeout(impatience)).end(last);
  }
}

/** An event on the wire. @param data one line */
export function eventOf(event: 'next' | 'complete', data = ''): Buffer {
  return Buffer.from(`event: ${event}\ndata: ${data}\n\n`);
}
