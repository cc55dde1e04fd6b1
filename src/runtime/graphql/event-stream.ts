/** The results of an operation as server-sent events: a response body, whose client may read slowly but not for ever. */

import type { FormattedExecutionResult } from 'graphql';

export interface EventStreamOptions {
  /** How long, in milliseconds, nothing is sent before a comment keeps the connection open; 15 seconds unless given. */
  readonly keepAliveMs?: number | undefined;
  /** How long a client may take to read what waits, in milliseconds; 10 seconds unless given. */
  readonly patienceMs?: number | undefined;
}

/** What a stream sends, and how it ends. */
export interface EventSource {
  readonly results: AsyncIterator<FormattedExecutionResult, void>;
  /** What clients are told of an error that ends the results. */
  readonly explain: (error: unknown) => FormattedExecutionResult;
  /** Called once when nothing more is sent, or read. */
  readonly onEnd: () => void;
}

/** How long a client may take to read the end. */
const FAREWELL_MS = 5_000;

const END = { done: true, value: undefined } as const;

/**
 * Transports ask for the next piece when the client has room for it, so a slow reader is one for whom nothing is asked. It is
 * told so, should it read again soon, and is disconnected otherwise.
 */
export class EventStream implements AsyncIterableIterator<Uint8Array> {
  readonly #source: EventSource;
  readonly #keepAliveMs: number;
  readonly #patienceMs: number;
  readonly #breakOff = new AbortController();
  /** What can be taken at once. Some browsers take a stream for open only when there is a byte. */
  readonly #ready: Uint8Array[] = [COMMENT];
  /** Who waits for the next piece. */
  #take: ((piece: IteratorResult<Uint8Array, void>) => void) | undefined;
  #isReading = false;
  /** Nothing comes behind what is ready. */
  #isOver = false;
  #keepAlive: NodeJS.Timeout | undefined;
  #impatience: NodeJS.Timeout | undefined;

  constructor(source: EventSource, { keepAliveMs = 15_000, patienceMs = 10_000 }: EventStreamOptions) {
    this.#source = source;
    this.#keepAliveMs = keepAliveMs;
    this.#patienceMs = patienceMs;
  }

  /** Aborts when the client has not even read the end. */
  get signal(): AbortSignal {
    return this.#breakOff.signal;
  }

  next(): Promise<IteratorResult<Uint8Array, void>> {
    if (!this.#isOver) clearTimeout(this.#impatience);
    const piece = this.#ready.shift();
    if (piece !== undefined) return Promise.resolve(this.#given(piece));
    if (this.#isOver) return Promise.resolve(END);
    if (!this.#isReading) void this.#read();
    return new Promise((resolve) => {
      this.#take = resolve;
      this.#keepAlive = setTimeout(() => this.#offer(COMMENT), this.#keepAliveMs);
    });
  }

  /** The client is gone, or does not want more. */
  return(): Promise<IteratorResult<Uint8Array, void>> {
    this.#ready.length = 0;
    this.end();
    clearTimeout(this.#impatience);
    return Promise.resolve(END);
  }

  /** Ends the stream. @param words - what is sent last; nothing tells clients to come again, to another process */
  end(words?: Uint8Array): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#keepAlive);
    clearTimeout(this.#impatience);
    // It stays when all is read: the last piece may still be on its way. To break off what has been sent does nothing.
    this.#impatience = setTimeout(() => this.#breakOff.abort(), FAREWELL_MS).unref();
    void this.#leave();
    if (words !== undefined) this.#offer(words);
    this.#take?.(END);
    this.#source.onEnd();
  }

  /** Ends it with a result that says why, and `complete`. */
  complete(last?: FormattedExecutionResult): void {
    this.end(last === undefined ? COMPLETE : Buffer.concat([nextOf(last), COMPLETE]));
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async #read(): Promise<void> {
    this.#isReading = true;
    try {
      const result = await this.#source.results.next();
      if (this.#isOver) return;
      if (result.done === true) this.complete();
      else this.#offer(nextOf(result.value));
    } catch (error) {
      if (!this.#isOver) this.complete(this.#source.explain(error));
    } finally {
      this.#isReading = false;
    }
  }

  #offer(piece: Uint8Array): void {
    const take = this.#take;
    if (take === undefined) {
      this.#ready.push(piece);
      return;
    }
    this.#take = undefined;
    clearTimeout(this.#keepAlive);
    take(this.#given(piece));
  }

  #given(value: Uint8Array): IteratorResult<Uint8Array, void> {
    if (!this.#isOver) this.#impatience = setTimeout(() => this.complete(TOO_SLOW), this.#patienceMs);
    return { done: false, value };
  }

  async #leave(): Promise<void> {
    try {
      await this.#source.results.return?.();
    } catch {
      // The results are over for this client, however they end.
    }
  }
}

/** An event on the wire. @param data one line */
function eventOf(event: 'next' | 'complete', data = ''): Buffer {
  return Buffer.from(`event: ${event}\ndata: ${data}\n\n`);
}

const COMMENT = Buffer.from(':\n\n');
const COMPLETE = eventOf('complete');

/** Events that several subscribers get are written once: the engine knows who gets the same. */
const written = new WeakMap<FormattedExecutionResult, Buffer>();

function nextOf(result: FormattedExecutionResult): Buffer {
  const known = written.get(result);
  if (known !== undefined) return known;
  const event = eventOf('next', JSON.stringify(result));
  written.set(result, event);
  return event;
}

const TOO_SLOW: FormattedExecutionResult = {
  errors: [{ message: 'The client reads too slowly', extensions: { code: 'LIMIT_EXCEEDED' } }],
};
