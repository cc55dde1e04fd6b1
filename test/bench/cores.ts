/** Keeps the server and the load on cores of their own, where the system can. */

import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

export const SERVER_CORE = 0;
export const LOAD_CORE = 1;

/** Whether programs can be kept on a core; without it, they share what there is. */
export const CAN_PIN = availableParallelism() > 1 && spawnSync('taskset', ['--version']).error === undefined;

/** A command line that runs on one core. */
export function onCore(
  core: number,
  command: readonly [string, ...string[]],
): readonly [string, ...string[]] {
  return CAN_PIN ? ['taskset', '--cpu-list', String(core), ...command] : command;
}
