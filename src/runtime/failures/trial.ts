/** What the keywords of lists and of objects ask of the attempt that they are part of. */

import type { Failure } from './failure.js';
import type { Looked } from './looked.js';
import type { Finding } from './value-failures.js';

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
