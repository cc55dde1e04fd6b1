/** Collects the lines of the log, and writes them in large pieces. */

import { type DestinationStream, destination } from 'pino';

/** In characters. A write per line costs more than the request itself. */
const PIECE = 16_000;

/** How long a line may wait, in milliseconds. A crash loses the lines that wait. */
const PATIENCE = 200;

/** Pino's own buffer counts the bytes of all that it holds at every line, so it is given pieces only. */
export class LogLines implements DestinationStream {
  readonly #output = destination({ fd: 1, sync: false, minLength: PIECE });
  #waiting = '';

  constructor() {
    setInterval(() => this.flush(), PATIENCE).unref();
    process.once('exit', () => this.flushSync());
  }

  write(line: string): void {
    this.#waiting += line;
    if (this.#waiting.length >= PIECE) this.#passOn();
  }

  /** @param written - called when every line is written, or cannot be written because the reader has gone */
  flush(written?: (error?: Error) => void): void {
    this.#passOn();
    this.#output.flush(written);
  }

  flushSync(): void {
    this.#passOn();
    this.#output.flushSync();
  }

  #passOn(): void {
    if (this.#waiting === '') return;
    this.#output.write(this.#waiting);
    this.#waiting = '';
  }
}
