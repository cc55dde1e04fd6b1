/** A streamed response body as a stream of Node's: nothing is pulled before the client has room for it. */

import { Readable } from 'node:stream';

export class BodyStream extends Readable {
  readonly #iterator: AsyncIterator<Uint8Array>;
  #isDone = false;

  constructor(body: AsyncIterable<Uint8Array>) {
    // With no buffer of its own, a piece is asked for when the one before has been taken.
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

  /** Not waited for: an async generator only returns when what it waits for has come. */
  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    if (!this.#isDone) void this.#leave();
    callback(error);
  }

  async #leave(): Promise<void> {
    try {
      await this.#iterator.return?.();
    } catch {
      // The client is gone already, and the response with it.
    }
  }
}
