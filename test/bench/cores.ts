/** Pins the server and the load to separate cores, where the system supports that. */

import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

export const SERVER_CORE = 0;
export const LOAD_CORE = 1;

/** Whether programs can be pinned to a core; otherwise they share all cores. */
export const CAN_PIN = availableParallelism() > 1 && spawnSync('taskset', ['--version']).error === undefined;

/** A command line that runs on one core. */
export function onCore(
  core: number,
  command: readonly [string, ...string[]],
): readonly [string, ...string[]] {
  return CAN_PIN ? ['taskset', '--cpu-list', String(core), ...command] : command;
}
