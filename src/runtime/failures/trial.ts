/** The interface of one attempt to fit a value to a schema, for the keywords of lists and objects. */

import type { Failure } from './failure.js';
import type { Finding } from './value-failures.js';

/** The properties and items of a value that have been evaluated, for `unevaluatedProperties` and `unevaluatedItems`. */
export class Looked {
  readonly names = new Set<string>();
  readonly indexes = new Set<number>();

  add({ names, indexes }: Looked): void {
    for (const name of names) this.names.add(name);
    for (const index of indexes) this.indexes.add(index);
  }
}

/** One attempt to fit a value: its failures, and the evaluated properties and items. */
export interface Trial {
  readonly failures: readonly Failure[];
  readonly looked: Looked;
  readonly fits: boolean;
  fail(place: string, finding: Finding): void;
  /** Checks another value: a property or an item. */
  part(schema: unknown, value: unknown, place: string): void;
  /** Checks the same value. Its evaluated members count even if it fails, because that failure is reported anyway. */
  same(schema: unknown, value: unknown, place: string): void;
  /** Checks a value that need not fit. */
  attempt(schema: unknown, value: unknown, place: string): Trial;
}
