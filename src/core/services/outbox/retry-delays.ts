/** When a delivery that was not taken is tried again. */

const minuteMs = 60_000;
const hoursMs = [2, 5, 10, 14, 18, 22].map((hours) => hours * 60 * minuteMs);
/** The delays before the next attempts, three days in all. After them, a webhook is disabled. */
const delaysMs = [5_000, 30_000, 2 * minuteMs, 10 * minuteMs, 30 * minuteMs, ...hoursMs];
/** A consumer is the team's own code, and is tried until it works. */
const longestConsumerDelayMs = minuteMs;

export const firstDelayMs = Number(delaysMs[0]);

/** @param attempts - those before the one that failed. @returns milliseconds; `Infinity` when the webhook is to be disabled */
export function delayAfter(attempts: number, isConsumer: boolean): number {
  const delayMs = delaysMs[attempts] ?? Infinity;
  return isConsumer ? Math.min(delayMs, longestConsumerDelayMs) : delayMs;
}
