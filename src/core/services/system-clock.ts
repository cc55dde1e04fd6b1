/** The machine's clock. */
import { timestampOf } from '../model/timestamp.js';
import type { Clock } from '../ports/clock.js';

/** Reads the system time, to the millisecond. */
export const systemClock: Clock = { now: () => timestampOf(Date.now()) };
