/** The results of an operation as server-sent events: a response body that disconnects clients that read too slowly. */

import type { FormattedExecutionResult } from 'graphql';

export interface EventStreamOptions {
  /** After how long without an event a comment keeps the connection open, in milliseconds; 15 seconds unless given. */
  readonly keepAliveMs?: number | undefined;
  /** How long a client may take to read pending data, in milliseconds; 10 seconds unless given. */
  readonly patienceMs?: number | undefined;
}

/** What a stream sends, and how it ends. */
export interface EventSource {
  readonly results: AsyncIterator<FormattedExecutionResult, void>;
  /** Formats the error that ends the results, for clients. */
  readonly explain: (error: unknown) => FormattedExecutionResult;
  /** Called once when nothing more is sent, or read. */
  readonly onEnd: () => void;
}

/** How long a client may take to read the end. */
const FAREWELL_MS = 5_000;

const END = { done: true, value: undefined } as const;

/**
 * Transports ask for the next piece when the client has room for it, so a client is slow when its transport stops asking.
 * The stream then ends with an error, which the client gets if it reads again soon; otherwise it is disconnected.
 */
export class EventStream implements AsyncIterableIterator<Uint8Array> {
  readonly #source: EventSource;
  readonly #keepAliveMs: number;
  readonly #patienceMs: number;
  readonly #breakOff = new AbortController();
  /** Pieces that are ready to be sent. Some browsers treat a stream as open only after its first byte. */
  readonly #ready: Uint8Array[] = [COMMENT];
  /** Resolves the pending read. */
  #take: ((piece: IteratorResult<Uint8Array, void>) => void) | undefined;
  #isReading = false;
  /** Whether no pieces follow those that are ready. */
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

  /** Called when the client has disconnected or wants no more. */
  return(): Promise<IteratorResult<Uint8Array, void>> {
    this.#ready.length = 0;
    this.end();
    clearTimeout(this.#impatience);
    return Promise.resolve(END);
  }

  /** Ends the stream. @param words - the last event; without one, clients reconnect, to another process */
  end(words?: Uint8Array): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#keepAlive);
    clearTimeout(this.#impatience);
    // The timer stays after the last read, because the last piece may still be in transit. Aborting after it is harmless.
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

/** Encoded events: the engine gives several subscribers the same result object, and it is encoded once. */
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
