/** The conditions of a mock: how late its answers come and how many of them fail, the same in every run. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpRequest } from '@concordat/runtime';
import { usageFailure } from '@concordat/runtime/terminal';
import { seeded, uniform } from '../values/seeded.js';

export interface ConditionOptions {
  /** The milliseconds by which each answer is late: `100`, or a random number of `50..200`. */
  readonly latency?: string | undefined;
  /** The share of the calls that one of the declared error responses answers: `2%`. GraphQL declares none. */
  readonly fail?: string | undefined;
}

export interface Conditions {
  /** Passes an answer on when it is late enough, or when the client has gone. */
  readonly late: <Answer>(answer: Answer, request: Pick<HttpRequest, 'signal'>) => Promise<Answer>;
  /** The failures of a call, in the order in which they are tried; none if it succeeds. */
  readonly failures: <Failure>(failures: readonly Failure[]) => readonly Failure[];
}

/** @throws CommandFailure when a value is not of its form */
export function conditionsOf({ latency = '0', fail = '0%' }: ConditionOptions): Conditions {
  const [, first, last = first] = /^(\d{1,6})(?:\.\.(\d{1,6}))?$/.exec(latency) ?? [];
  const [least, most] = [Number(first), Number(last)];
  if (!(least <= most))
    throw usageFailure(`latency ${latency}: it must be milliseconds such as 100 or 50..200.`);
  const share = /^\d+(?:\.\d+)?%$/.test(fail) ? parseFloat(fail) / 100 : NaN;
  if (!(share <= 1)) throw usageFailure(`fail ${fail}: it must be a share from 0% to 100%.`);
  const [ofLatency, ofFailures] = [seeded(1), seeded(2)];
  return {
    late: async (answer, { signal }) => {
      // One number for each call, so that the next ones do not depend on who waited.
      const time = least + uniform(ofLatency, most - least);
      if (most > 0) await sleep(time, undefined, { signal }).catch(() => undefined);
      return answer;
    },
    failures: (failures) => {
      if (ofFailures() >= share) return [];
      const at = uniform(ofFailures, failures.length - 1);
      return [...failures.slice(at), ...failures.slice(0, at)];
    },
  };
}
