/** Writes server-sent events into a response, to a client that may read slowly but not for ever. */

import type { ServerResponse } from 'node:http';

export interface EventStreamOptions {
  /** How often a comment keeps the connection open, in milliseconds; 15 seconds unless given. */
  readonly keepAliveMs?: number;
  /** How long a client may take to read what waits, in milliseconds; 10 seconds unless given. */
  readonly patienceMs?: number;
}

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

  /** Resolves when the client has room for more, or is gone. One that takes longer than it may is disconnected. */
  async send(event: 'next' | 'complete', data = ''): Promise<void> {
    const response = this.#response;
    if (!this.isOpen || response.write(`event: ${event}\ndata: ${data}\n\n`)) return;
    await new Promise<void>((resolve) => {
      const impatience = setTimeout(() => response.destroy(), this.#patienceMs);
      const goOn = (): void => {
        clearTimeout(impatience);
        response.off('drain', goOn).off('close', goOn);
        resolve();
      };
      response.on('drain', goOn).on('close', goOn);
    });
  }

  get isOpen(): boolean {
    return !this.#response.destroyed && !this.#response.writableEnded;
  }

  end(): void {
    clearInterval(this.#keepAlive);
    this.#response.end();
  }
}
