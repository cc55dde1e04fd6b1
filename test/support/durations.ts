/** Measures durations, so that other programs on a busy machine change no verdict. */

/** The milliseconds between two looks at the clock. */
const BEAT = 10;

let passed = 0;
let latest: number | undefined;

/**
 * The milliseconds that this process has had since the first call. A turn of its event loop that comes late counts as one in time, so this
 * clock is slower than the real one while the processor works for other programs.
 */
export function patientNow(): number {
  if (latest === undefined) {
    latest = performance.now();
    setInterval(beat, BEAT).unref();
  } else beat();
  return passed;
}

function beat(): void {
  const now = performance.now();
  passed += Math.min(now - (latest ?? now), 2 * BEAT);
  latest = now;
}

/** Starts to count the CPU time of this process. @returns the milliseconds since then */
export function cpuTime(): () => number {
  const start = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
}
