/** The results of an operation as server-sent events: a response body that disconnects clients that read too slowly. */

import type { FormattedExecutionResult } from 'graphql';
import type { PushedContent } from '../../http/message.js';
import { eventIdOf, type Take } from '../execution/subscription.js';

export interface EventStreamOptions {
  /** The time without an event after which a comment keeps the connection open, in milliseconds; 15 seconds unless given. */
  readonly keepAliveMs?: number | undefined;
  /** The maximum time for a client to read pending data, in milliseconds; 10 seconds unless given. */
  readonly patienceMs?: number | undefined;
}

/** The results that a stream sends, and the functions that it calls when it ends. */
export interface EventSource {
  readonly results: AsyncIterator<FormattedExecutionResult, void> & {
    readonly forEach?: (take: Take<FormattedExecutionResult>) => Promise<void>;
  };
  /** Formats the error that ends the results, for clients. */
  readonly explain: (error: unknown) => FormattedExecutionResult;
  /** Called once, when no more events will be sent or read. */
  readonly onEnd: () => void;
}

/** The maximum time for a client to read the last event. */
const FAREWELL_MS = 5_000;

const END = { done: true, value: undefined } as const;

/**
 * A transport asks for the next piece when the client has room for it. So when the transport stops asking, the client is slow.
 * The stream then ends with an error. A client that does not read the error soon is disconnected.
 */
export class EventStream implements AsyncIterableIterator<Uint8Array>, PushedContent {
  readonly #source: EventSource;
  readonly #keepAliveMs: number;
  readonly #patienceMs: number;
  #breakOff: AbortController | undefined;
  /** Pieces that are ready to be sent. Some browsers treat a stream as open only after its first byte. */
  readonly #ready: Uint8Array[];
  /** Resolves the pending read. */
  #take: ((piece: IteratorResult<Uint8Array, void>) => void) | undefined;
  /** Takes the pieces of a stream that pushes them. */
  #sink: Take<Uint8Array> | undefined;
  #onOver: (() => void) | undefined;
  #isIdle = false;
  #isReading = false;
  /** Whether no pieces follow the ready ones. */
  #isOver = false;
  #keepAlive: NodeJS.Timeout | undefined;
  #impatience: NodeJS.Timeout | undefined;

  constructor(source: EventSource, { keepAliveMs = 15_000, patienceMs = 10_000 }: EventStreamOptions) {
    this.#source = source;
    const lastId = eventIdOf(source.results);
    // A client that loses the connection before the first event sends this id.
    this.#ready = [lastId === undefined ? COMMENT : Buffer.from(`id: ${lastId}\n\n`)];
    this.#keepAliveMs = keepAliveMs;
    this.#patienceMs = patienceMs;
  }

  /** Aborts when the client has not read the end in time. */
  get signal(): AbortSignal {
    return (this.#breakOff ??= new AbortController()).signal;
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

  async forEach(take: Take<Uint8Array>): Promise<void> {
    this.#sink = take;
    for (const piece of this.#ready.splice(0)) void take(piece);
    if (this.#isOver) return;
    const over = new Promise<void>((resolve) => (this.#onOver = resolve));
    // A timer per event would cost more than one that finds out whether there were events.
    this.#keepAlive = setInterval(() => {
      if (this.#isIdle) void this.#push(COMMENT);
      this.#isIdle = true;
    }, this.#keepAliveMs / 2);
    void this.#pushResults();
    await over;
  }

  async #pushResults(): Promise<void> {
    const { results, explain } = this.#source;
    const push = (result: FormattedExecutionResult) => this.#push(nextOf(result));
    try {
      if (results.forEach !== undefined) await results.forEach(push);
      else
        for (let each = await results.next(); each.done !== true; each = await results.next())
          await push(each.value);
      this.complete();
    } catch (error) {
      if (!this.#isOver) this.complete(explain(error));
    }
  }

  /** @returns a promise if the client must read before more is sent */
  #push(piece: Uint8Array): Promise<unknown> | undefined {
    if (this.#isOver) return undefined;
    this.#isIdle = false;
    const busy = this.#sink?.(piece);
    if (busy === undefined) return undefined;
    clearTimeout(this.#impatience);
    const impatience = (this.#impatience = setTimeout(() => this.complete(TOO_SLOW), this.#patienceMs));
    return busy.then(() => clearTimeout(impatience));
  }

  /** Called when the client has disconnected or cancels the stream. */
  return(): Promise<IteratorResult<Uint8Array, void>> {
    this.#ready.length = 0;
    this.end();
    clearTimeout(this.#impatience);
    return Promise.resolve(END);
  }

  /** Ends the stream. @param words - the last event; without it, clients reconnect to another process */
  end(words?: Uint8Array): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#keepAlive);
    clearTimeout(this.#impatience);
    // The last read does not stop the timer, because the last piece may still be in transit. Aborting after it is harmless.
    this.#impatience = setTimeout(() => this.#breakOff?.abort(), FAREWELL_MS).unref();
    void this.#leave();
    if (words !== undefined) this.#offer(words);
    this.#take?.(END);
    this.#onOver?.();
    this.#source.onEnd();
  }

  /** Ends the stream with `complete`. @param last - a last result, such as the error that ends the stream */
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
    if (this.#sink !== undefined) {
      void this.#sink(piece);
      return;
    }
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
      // The stream is over for this client, so an error in ending its source does not matter.
    }
  }
}

/** An event on the wire. @param data one line */
function eventOf(event: 'next' | 'complete', data = '', id?: string): Buffer {
  return Buffer.from(`event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`);
}

const COMMENT = Buffer.from(':\n\n');
const COMPLETE = eventOf('complete');

/** Encoded events by result: the engine gives several subscribers the same result object, which is encoded once. */
const written = new WeakMap<FormattedExecutionResult, Buffer>();

function nextOf(result: FormattedExecutionResult): Buffer {
  const known = written.get(result);
  if (known !== undefined) return known;
  const event = eventOf('next', JSON.stringify(result), eventIdOf(result));
  written.set(result, event);
  return event;
}

const TOO_SLOW: FormattedExecutionResult = {
  errors: [{ message: 'The client reads too slowly', extensions: { code: 'LIMIT_EXCEEDED' } }],
};
