/** The results of a subscription: one per event of its source stream, shared by subscribers with equal results. */

import type { Variables } from '../compiler/query-inputs.js';
import type { PreparedOperation } from '../document/preparation.js';

/** Unlike an async generator function, it can be ended while the next event is pending. */
export class ResponseStream<Result> implements AsyncGenerator<Result, void, void> {
  readonly #source: AsyncIterator<unknown>;

  constructor(
    source: AsyncIterable<unknown>,
    private readonly respond: (event: unknown) => Result | Promise<Result>,
  ) {
    this.#source = source[Symbol.asyncIterator]();
  }

  async next(): Promise<IteratorResult<Result, void>> {
    const event = await this.#source.next();
    return event.done === true
      ? { done: true, value: undefined }
      : { done: false, value: await this.respond(event.value) };
  }

  async return(): Promise<IteratorResult<Result, void>> {
    await this.#source.return?.();
    return { done: true, value: undefined };
  }

  async throw(error: unknown): Promise<IteratorResult<Result, void>> {
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
 * Results by event, released with the event. The same event, operation and variables give every subscriber the same result if
 * their contexts are interchangeable, which the caller decides.
 */
export class SharedExecutions<Result> {
  readonly #byEvent = new WeakMap<object, Map<PreparedOperation, Map<string, Result>>>();

  /** @param variablesKey - made with {@link keyOf} */
  of(event: object, operation: PreparedOperation, variablesKey: string, execute: () => Result): Result {
    const byOperation = getOrMake(
      this.#byEvent,
      event,
      () => new Map<PreparedOperation, Map<string, Result>>(),
    );
    const byVariables = getOrMake(byOperation, operation, () => new Map<string, Result>());
    return getOrMake(byVariables, variablesKey, execute);
  }
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
