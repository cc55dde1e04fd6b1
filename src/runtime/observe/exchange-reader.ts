/** Copies the bodies of exchanges in bounded memory, and reads each exchange after it has ended, so that no traffic waits for it. */

import { nextTurn } from '../http/next-turn.js';
import { BodySample, SampleMemory } from './body-sample.js';
import type { OpenExchange } from './exchange-check.js';
import type { Sent } from './observed-operation.js';

/** The memory for the bodies of all exchanges that are open at one time, in bytes, unless two bodies of the largest size are more. */
const MOST_HELD = 16 * 1024 * 1024;

/** The maximum number of exchanges that have ended and are not read yet. */
const MOST_WAITING = 1000;

/**
 * The milliseconds of reading after which other work comes first. A fixed number of exchanges would fall behind a server that ends more
 * of them in each turn.
 */
const LONGEST_TURN = 5;

export abstract class ExchangeReader {
  readonly counters = { checked: 0, skipped: 0 };
  readonly #memory: SampleMemory;
  readonly #queue: { readonly exchange: OpenExchange; readonly sent: Sent }[] = [];
  readonly #waiting: (() => void)[] = [];
  #pending = 0;

  /** @param bodyLimit - in bytes @param onError - gets the errors of reading */
  constructor(
    readonly bodyLimit: number,
    private readonly onError: (error: unknown) => void,
  ) {
    this.#memory = new SampleMemory(Math.max(MOST_HELD, 2 * bodyLimit));
  }

  /** @returns a promise only if bodies are decoded */
  protected abstract read(exchange: OpenExchange, sent: Sent): Promise<void> | undefined;

  protected report(error: unknown): void {
    try {
      this.onError(error);
    } catch {
      // A failed report cannot be reported, and the server must not stop.
    }
  }

  sample(): BodySample {
    return new BodySample(this.bodyLimit, this.#memory);
  }

  /** Reads an exchange that has ended, after the current work, and releases its memory. */
  end(exchange: OpenExchange, sent: Sent): void {
    if (this.#queue.length >= MOST_WAITING) {
      this.breakOff(exchange);
      return;
    }
    this.#queue.push({ exchange, sent });
    if (this.#queue.length === 1) nextTurn(() => this.#readWaiting());
  }

  /** Releases the memory of an exchange that is not read. */
  breakOff(exchange: OpenExchange): void {
    this.counters.skipped += 1;
    release(exchange);
  }

  /** Counts work that {@link settled} waits for. Its errors are reported. */
  during(work: Promise<void>): Promise<void> {
    this.#pending += 1;
    return work
      .catch((error: unknown) => this.report(error))
      .finally(() => {
        this.#pending -= 1;
        this.#resolveIfSettled();
      });
  }

  /** Resolves when all exchanges that have ended are read. */
  settled(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#resolveIfSettled();
    });
  }

  #resolveIfSettled(): void {
    if (this.#pending > 0 || this.#queue.length > 0) return;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #readWaiting(): void {
    const end = performance.now() + LONGEST_TURN;
    let count = 0;
    for (const { exchange, sent } of this.#queue) {
      if (count > 0 && performance.now() >= end) break;
      count += 1;
      this.counters.checked += 1;
      try {
        const pending = this.read(exchange, sent);
        if (pending === undefined) release(exchange);
        else void this.during(pending.finally(() => release(exchange)));
      } catch (error) {
        release(exchange);
        this.report(error);
      }
    }
    this.#queue.splice(0, count);
    if (this.#queue.length > 0) nextTurn(() => this.#readWaiting());
    else this.#resolveIfSettled();
  }
}

function release({ request, response, copied }: OpenExchange): void {
  for (const body of [request, response, copied]) if (body instanceof BodySample) body.release();
}
