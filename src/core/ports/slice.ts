/** Which stretch of an ordered collection a store is asked for. */
import type { Id } from '../model/id.js';

/** Skips a number of rows; the cost may grow with it. */
export interface OffsetSlice {
  readonly offset: number;
  readonly limit: number;
}

/** Starts behind an id, whether or not it exists; the cost does not depend on where that is. */
export interface AfterSlice {
  /** A canonical id, `"0"` or undefined, which both mean the start. */
  readonly after: Id | undefined;
  readonly limit: number;
}

/** At most `limit` rows, a positive safe integer. */
export type Slice = OffsetSlice | AfterSlice;
