/** A slice of an ordered collection, as a store is asked for it. */
import type { Id } from '../model/id.js';

/** Skips a number of rows; the cost may grow with it. */
export interface OffsetSlice {
  readonly offset: number;
  readonly limit: number;
}

/** Starts after an id, whether or not it exists; the cost does not depend on the position. */
export interface AfterSlice {
  /** A canonical id, `"0"` or undefined, which both mean the start. */
  readonly after: Id | undefined;
  readonly limit: number;
}

/** At most `limit` rows, a positive safe integer. */
export type Slice = OffsetSlice | AfterSlice;
