/** The clock port: the only place where the core learns what time it is. */
import type { Timestamp } from '../model/timestamp.js';

export interface Clock {
  /** The present moment. It may stand still between calls, and go back when the machine's clock is set. */
  now(): Timestamp;
}
