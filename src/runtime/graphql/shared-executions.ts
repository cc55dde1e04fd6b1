/** Executes an operation once per event for all subscribers that get the same result. */

import type { Variables } from './parameters.js';
import type { PreparedOperation } from './prepared.js';

/**
 * Results by event, released with it. The same event, operation and variables give the same result to every subscriber
 * whose context is interchangeable, which the caller decides.
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

/** Equal keys only for equal variables. */
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
