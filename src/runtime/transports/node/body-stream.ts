/** A streamed response body as a Node stream, which pulls a piece only when the client has room for it. */

import { Readable } from 'node:stream';
import type { ServerResponse } from 'node:http';

export class BodyStream extends Readable {
  readonly #iterator: AsyncIterator<Uint8Array>;
  #isDone = false;

  constructor(body: AsyncIterable<Uint8Array>) {
    // Without a buffer, a piece is pulled only after the previous one has been taken.
    super({ highWaterMark: 0 });
    this.#iterator = body[Symbol.asyncIterator]();
  }

  override _read(): void {
    void this.#pull();
  }

  async #pull(): Promise<void> {
    try {
      const piece = await this.#iterator.next();
      if (piece.done !== true) {
        this.push(piece.value);
        return;
      }
      this.#isDone = true;
      this.push(null);
    } catch (error) {
      this.#isDone = true;
      this.destroy(error as Error);
    }
  }

  /** Does not await the iterator's return(), because that of an async generator waits for the pending piece. */
  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    if (!this.#isDone) void this.#leave();
    callback(error);
  }

  async #leave(): Promise<void> {
    try {
      await this.#iterator.return?.();
    } catch {
      // The client has disconnected, so there is no response to fail.
    }
  }
}

/** Destroys the connection of a response when the handler's signal aborts. */
export function breakOffOn(signal: AbortSignal | undefined, outgoing: ServerResponse): void {
  if (signal?.aborted === true) outgoing.destroy();
  else signal?.addEventListener('abort', () => outgoing.destroy(), { once: true });
}
