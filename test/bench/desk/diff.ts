/** The time to compare two versions of a large contract, beside an earlier version of the program. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Plan, rowOf } from '../peers/row.js';
import { CONCORDAT, EARLIER, inProject, sharedContract } from './contracts.js';
import { cpuMilliseconds } from './cpu-time.js';
import { type DeskTask, cpuTime } from './desk-task.js';
import { nextVersion } from './discord-release.js';

const CONTRACT = 'discord.json';
const CHANGES = 48;

const plan: Plan = {
  work: `diff of two versions of ${CONTRACT}`,
  ours: 'concordat diff',
  peer: EARLIER && 'an earlier concordat diff',
  ...(EARLIER !== undefined && { target: { required: 0.15, aim: 0.05 } }),
};

export const diffTask: DeskTask = {
  plans: [plan],
  needs: [CONTRACT],
  run: async (rounds) =>
    inProject(async (directory) => {
      const old = sharedContract(CONTRACT) ?? '';
      const next = join(directory, 'next.json');
      writeFileSync(next, nextVersion(readFileSync(old, 'utf8'), CHANGES));
      const programs = [CONCORDAT, ...(EARLIER === undefined ? [] : [EARLIER])].map((program) => ({
        args: [program, 'diff', old, next, '--json'],
        directory,
        // Some of the changes are breaking.
        exits: [1],
      }));
      const [ours = 0, theirs] = await cpuMilliseconds(programs, rounds);
      return [rowOf(plan, cpuTime, { median: ours }, theirs === undefined ? undefined : { median: theirs })];
    }),
};
