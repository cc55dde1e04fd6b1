/** Makes a run that fails as short, and its world as plain, as it can be. */

import { isDeepStrictEqual } from 'node:util';
import { type Run, play } from './simulate.js';
import { plainSettings } from './settings.js';
import type { FailureOf, RunOf } from './steps.js';

/** A run of any kind of world. */
type AnyRun = RunOf<
  object,
  Readonly<Record<'calls', readonly unknown[]>> | Readonly<Record<'event', unknown>>
>;

/** How runs of one kind of world are made smaller. */
export interface Shrinking<R extends AnyRun> {
  readonly play: (run: R) => Promise<FailureOf<R> | undefined>;
  /** The settings of a plain world, each of which is tried. */
  readonly plain: Partial<R['settings']>;
}

/** What stays the same when a run gets smaller. */
const kindOf = ({ message }: FailureOf<AnyRun>): string =>
  message.replace(/[0-9]+|["'].*/gs, '').slice(0, 40);

/** @returns the failure with as few steps, and as plain a world, as can be found */
export async function shrink<R extends AnyRun>(
  failure: FailureOf<R>,
  deadlineMs: number,
  { play, plain }: Shrinking<R>,
): Promise<FailureOf<R>> {
  let smallest = failure;
  const attempt = async (change: Partial<AnyRun>): Promise<boolean> => {
    if (Date.now() > deadlineMs) return false;
    const other = await play({ ...smallest.run, ...change });
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
      await attempt({ steps: steps.toSpliced(Math.max(0, at), at < 0 ? size + at : size) });
    }
  }
  for (let at = smallest.run.steps.length - 1; at >= 0; at -= 1) {
    const step = smallest.run.steps[at];
    if (step === undefined || 'event' in step) continue;
    for (let index = step.calls.length - 1; index >= 0; index -= 1) {
      const { steps } = smallest.run;
      const calls = (steps[at] as typeof step).calls.toSpliced(index, 1);
      if (calls.length > 0) await attempt({ steps: steps.with(at, { ...step, calls }) });
    }
  }
  for (const [name, value] of Object.entries(plain)) {
    const settings = { ...smallest.run.settings, [name]: value };
    if (!isDeepStrictEqual(settings, smallest.run.settings)) await attempt({ settings });
  }
  return smallest;
}

export const shrinkingOfCore: Shrinking<Run> = { play, plain: plainSettings };
