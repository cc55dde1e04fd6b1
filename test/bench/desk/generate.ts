/** The time to generate code, beside openapi-typescript, which writes types only. */

import { join } from 'node:path';
import { type Plan, rowOf } from '../peers/row.js';
import { inProject, generateArgs, sharedContract } from './contracts.js';
import { cpuMilliseconds } from './cpu-time.js';
import { type DeskTask, cpuTime } from './desk-task.js';

const TARGETS: Readonly<Record<string, Plan['target']>> = {
  'discord.json': { required: 1.5, aim: 1 },
  'museum.yaml': { required: 0.8, aim: 0.5 },
};

export const generateTasks: readonly DeskTask[] = Object.entries(TARGETS).map(([name, target]) => {
  const plan: Plan = {
    work: `generate from ${name}`,
    ours: 'concordat generate',
    peer: 'openapi-typescript, types only',
    ...(target && { target }),
  };
  return {
    plans: [plan],
    needs: [name],
    run: async (rounds) =>
      inProject(async (directory) => {
        const openapi = sharedContract(name) ?? '';
        const own = { args: generateArgs(name, openapi, 'generated'), directory };
        const tool = join(directory, 'node_modules/openapi-typescript/bin/cli.js');
        const other = { args: [tool, openapi, '-o', 'types.ts'], directory };
        const [ours = 0, theirs = 0] = await cpuMilliseconds([own, other], rounds);
        return [rowOf(plan, cpuTime, { median: ours }, { median: theirs })];
      }),
  };
});
