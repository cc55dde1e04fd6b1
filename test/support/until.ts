/** Waits for what comes about by itself. */
import { setTimeout as sleep } from 'node:timers/promises';

const patienceMs = 60_000;

/** @throws an error that says what did not come about in a minute */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`it does not come about that ${what}`);
    await sleep(5);
  }
}
