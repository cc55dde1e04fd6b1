/** The results of a subscription: one per event of its source stream, shared by subscribers with equal results. */

import type { ExecutionResult } from 'graphql';
import type { Variables } from '../compiler/graphql-values.js';
import type { PreparedOperation } from '../document/preparation.js';

/** Takes an item of a stream. @returns a promise if the next item must wait for it */
export type Take<Item> = (item: Item) => Promise<unknown> | undefined;

/** The results of a subscription, for one reader. */
export interface ResultStream<Result> extends AsyncGenerator<Result, void, void> {
  /**
   * Gives every result to `take`, in order, like the proposed `AsyncIterator.prototype.forEach`. A source stream that has this
   * method pushes its events through it: a promise per event would cost each of many subscribers more than the result does.
   *
   * @returns a promise of the end; it rejects with the error of the source, of a result or of `take`, after which the source has ended
   */
  forEach(take: Take<Result>): Promise<void>;
}

/** Unlike an async generator function, it can be ended while the next event is pending. */
export class ResponseStream<Result> implements ResultStream<Result> {
  readonly #source: AsyncIterator<unknown> & { readonly forEach?: (take: Take<unknown>) => Promise<void> };
  #isLeft = false;

  constructor(
    source: AsyncIterable<unknown>,
    private readonly respond: (event: unknown) => Result | Promise<Result>,
  ) {
    this.#source = source[Symbol.asyncIterator]();
  }

  async next(): Promise<IteratorResult<Result, void>> {
    const event = await this.#source.next();
    if (event.done === true) return { done: true, value: undefined };
    const result = this.respond(event.value);
    // Each `await` is a turn of the queue for each of many subscribers.
    return { done: false, value: result instanceof Promise ? await result : result };
  }

  async forEach(take: Take<Result>): Promise<void> {
    const respond: Take<unknown> = (event) => {
      const result = this.respond(event);
      return result instanceof Promise ? result.then(take) : take(result);
    };
    try {
      if (this.#source.forEach !== undefined) {
        await this.#source.forEach(respond);
        return;
      }
      for (;;) {
        const event = await this.#source.next();
        if (event.done === true || this.#isLeft) return;
        await respond(event.value);
      }
    } catch (error) {
      await this.throw(error);
    }
  }

  async return(): Promise<IteratorResult<Result, void>> {
    this.#isLeft = true;
    await this.#source.return?.();
    return { done: true, value: undefined };
  }

  async throw(error: unknown): Promise<never> {
    await this.#source.return?.();
    throw error;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

/**
 * Results by event, released with the event. Subscribers with the same event, operation and key, which covers the
 * variables and the rights, get the same result.
 */
export class SharedExecutions<Result> {
  readonly #byEvent = new WeakMap<object, Map<PreparedOperation, Map<string, Result>>>();

  of(event: object, operation: PreparedOperation, key: string, execute: () => Result): Result {
    const byOperation = getOrMake(
      this.#byEvent,
      event,
      () => new Map<PreparedOperation, Map<string, Result>>(),
    );
    const byKey = getOrMake(byOperation, operation, () => new Map<string, Result>());
    return getOrMake(byKey, key, execute);
  }
}

const eventIds = new WeakMap<object, string>();

/** Remembers the event of a result, or the last event before a stream of results. @returns the same value */
export function identified<Value extends object>(value: Value, id: string | undefined): Value {
  if (id === undefined || /[\0\r\n]/.test(id)) return value;
  if (value instanceof Promise) {
    value.then((settled: object) => eventIds.set(settled, id)).catch(() => undefined);
  } else eventIds.set(value, id);
  return value;
}

/** The id that {@link identified} has remembered. */
export function eventIdOf(value: object): string | undefined {
  return eventIds.get(value);
}

/** The id of the last event before a source stream, if its resolver gives it one. */
export function lastEventIdOf(source: object): string | undefined {
  return 'lastEventId' in source && typeof source.lastEventId === 'string' ? source.lastEventId : undefined;
}

/** Ends a source stream that started after the deadline. */
export async function endSource(source: AsyncIterable<unknown> | ExecutionResult): Promise<void> {
  if (Symbol.asyncIterator in source) await source[Symbol.asyncIterator]().return?.();
}

/** A key for variables; different variables never have the same key. */
export function keyOf(variables: Variables | undefined): string {
  return JSON.stringify(variables ?? {});
}

interface Table<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

function getOrMake<Key, Value>(table: Table<Key, Value>, key: Key, make: () => Value): Value {
  const known = table.get(key);
  if (known !== undefined) return known;
  const made = make();
  table.set(key, made);
  return made;
}
