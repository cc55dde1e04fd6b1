/** The clock port: the core's only source of the time. */
import type { Timestamp } from '../model/timestamp.js';

export interface Clock {
  /** The current time. It may be the same in consecutive calls, and go back when the machine's clock is set. */
  now(): Timestamp;
}
