/** One attempt to fit a value to a schema, as the keywords of lists and of objects see it. */

import type { Failure } from './failure.js';
import type { Finding } from './value-failures.js';

/** Which properties and items of a value have been looked at, for `unevaluatedProperties` and `unevaluatedItems`. */
export class Looked {
  readonly names = new Set<string>();
  readonly indexes = new Set<number>();

  add({ names, indexes }: Looked): void {
    for (const name of names) this.names.add(name);
    for (const index of indexes) this.indexes.add(index);
  }
}

/** One attempt to fit a value: what failed, and what was looked at. */
export interface Trial {
  readonly failures: readonly Failure[];
  readonly looked: Looked;
  readonly fits: boolean;
  fail(place: string, finding: Finding): void;
  /** Looks at a value of its own: a property or an item. */
  part(schema: unknown, value: unknown, place: string): void;
  /** Looks at the same value. What it looked at counts also where it fails: the failure is enough to tell. */
  same(schema: unknown, value: unknown, place: string): void;
  /** Looks at a value that need not fit. */
  attempt(schema: unknown, value: unknown, place: string): Trial;
}
