/** Deletes a few expired records along with other work, so that no timer is needed. */
import type { Timestamp } from '../model/timestamp.js';

const everyMs = 60_000;
const atOnce = 500;

/** Sweeps, unless it did so within the last minute. */
export type ExpirySweep = (now: Timestamp) => Promise<void>;

/** @param store - one whose records expire */
export function expirySweep(store: {
  deleteExpired(now: Timestamp, limit: number): Promise<number>;
}): ExpirySweep {
  let sweptAt = 0;
  return async (now) => {
    const nowMs = Date.parse(now);
    if (nowMs - sweptAt < everyMs) return;
    sweptAt = nowMs;
    // Where there may be more, the next call continues.
    if ((await store.deleteExpired(now, atOnce)) === atOnce) sweptAt = 0;
  };
}
