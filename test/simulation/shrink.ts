/** Makes a run that fails as short, and its world as plain, as it can be. */

import { isDeepStrictEqual } from 'node:util';
import { type Failure, type Run, play } from './simulate.js';
import { plainSettings } from './settings.js';

/** What stays the same when a run gets smaller. */
const kindOf = ({ message }: Failure): string => message.replace(/[0-9]+|["'].*/gs, '').slice(0, 40);

/** @returns the failure with as few steps, and as plain a world, as can be found */
export async function shrink(failure: Failure, deadlineMs: number): Promise<Failure> {
  let smallest = failure;
  const attempt = async (run: Run): Promise<boolean> => {
    if (Date.now() > deadlineMs) return false;
    const other = await play(run);
    if (other === undefined || kindOf(other) !== kindOf(failure)) return false;
    smallest = other;
    return true;
  };
  for (
    let size = Math.ceil(failure.run.steps.length / 2);
    size >= 1;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let at = smallest.run.steps.length - size; at > -size; at -= size) {
      const { steps } = smallest.run;
      await attempt({ ...smallest.run, steps: steps.toSpliced(Math.max(0, at), at < 0 ? size + at : size) });
    }
  }
  for (let at = smallest.run.steps.length - 1; at >= 0; at -= 1) {
    const step = smallest.run.steps[at];
    if (step === undefined || 'event' in step) continue;
    for (let index = step.calls.length - 1; index >= 0; index -= 1) {
      const { steps } = smallest.run;
      const calls = (steps[at] as typeof step).calls.toSpliced(index, 1);
      if (calls.length > 0) await attempt({ ...smallest.run, steps: steps.with(at, { calls }) });
    }
  }
  for (const [name, value] of Object.entries(plainSettings as unknown as Readonly<Record<string, unknown>>)) {
    const settings = { ...smallest.run.settings, [name]: value };
    if (!isDeepStrictEqual(settings, smallest.run.settings)) await attempt({ ...smallest.run, settings });
  }
  return smallest;
}
