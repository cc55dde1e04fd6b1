/** Streamed bodies and Node's streams: a body as the stream of a response, and a body written to a file. */

import { Readable } from 'node:stream';
import type { ServerResponse } from 'node:http';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { bounded } from '../../http/read-body.js';

/** Pulls a piece only when the client has room for it. */
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

/**
 * Writes a body, such as a file of a form, to a new file as it arrives. If that fails, the file is removed.
 *
 * @param path - must not exist; do not build it from the client's name of the file
 * @param limit - the maximum size in bytes
 * @returns the size of the file in bytes
 * @throws a 413 `Problem` past the limit, the errors of the body, and the errors of the file system
 *
 * @example
 * ```ts
 * for await (const part of body) {
 *   if (part.name === 'photo') await saveBody(part.body, join(directory, randomUUID()), 10 * 1024 * 1024);
 * }
 * ```
 */
export async function saveBody(
  body: AsyncIterable<Uint8Array>,
  path: string,
  limit: number,
): Promise<number> {
  const file = createWriteStream(path, { flags: 'wx' });
  try {
    await pipeline(bounded(body, limit), file);
  } catch (error) {
    // A file that is still being opened would be created after it was removed.
    if (!file.closed) await new Promise<void>((resolve) => file.once('close', resolve));
    // An existing file was not written here, so it is kept.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') await rm(path, { force: true });
    throw error;
  }
  return file.bytesWritten;
}
