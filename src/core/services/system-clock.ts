/** The machine's clock. */
import { timestampOf } from '../model/timestamp.js';
import type { Clock } from '../ports/clock.js';

let lastMs = Number.NaN;
let lastTimestamp = '';

/** Reads the system time, to the millisecond. A busy process asks several times per millisecond. */
export const systemClock: Clock = {
  now: () => {
    const ms = Date.now();
    if (ms !== lastMs) {
      lastTimestamp = timestampOf(ms);
      lastMs = ms;
    }
    return lastTimestamp;
  },
};
