/** The time that `verify` and the mock of a large contract take for 1,000 requests, beside an earlier version of both. */

import { median } from '../compare.js';
import { type Plan, rowOf } from '../peers/row.js';
import { CONCORDAT, EARLIER, inProject, sharedContract } from './contracts.js';
import { cpuMilliseconds, startMetered } from './cpu-time.js';
import { type DeskTask, cpuTime } from './desk-task.js';

const CONTRACT = 'discord.json';

function planOf(ours: string): Plan {
  return {
    work: `verify, 1,000 requests to the mock of ${CONTRACT}`,
    ours,
    peer: EARLIER && 'an earlier one',
    ...(EARLIER !== undefined && { target: { required: 0.5, aim: 0.3 } }),
  };
}

const plans = [planOf('concordat verify'), planOf('concordat mock')] as const;
const SETTINGS = ['--requests', '1000', '--seed', '7', '--seconds', '600'];
const CREDENTIALS = ['--credential', 'BotToken=bot', '--credential', 'OAuth2=token'];

export const verifyTask: DeskTask = {
  plans,
  needs: [CONTRACT],
  run: async (rounds) =>
    inProject(async (directory) => {
      const openapi = sharedContract(CONTRACT) ?? '';
      const programs = [CONCORDAT, ...(EARLIER === undefined ? [] : [EARLIER])];
      const times = programs.map(() => ({ verify: [] as number[], mock: [] as number[] }));
      for (let round = 0; round < rounds; round += 1) {
        for (const [index, program] of programs.entries()) {
          const mock = await startMetered({ args: [program, 'mock', openapi, '--port', '0'], directory });
          const url = /http:\/\/\S+/.exec(mock.said)?.[0] ?? '';
          const args = [program, 'verify', url, '--openapi', openapi, ...SETTINGS, ...CREDENTIALS];
          // Violations of the contract by its mock are none of this benchmark.
          const [verify = 0] = await cpuMilliseconds([{ args, directory, exits: [0, 1, 3] }], 1);
          times[index]?.verify.push(verify);
          times[index]?.mock.push(await mock.stop());
        }
      }
      return (['verify', 'mock'] as const).map((name, index) => {
        const [ours = 0, theirs] = times.map((each) => median(each[name]));
        const figure = theirs === undefined ? undefined : { median: theirs };
        return rowOf(plans[index] ?? plans[0], cpuTime, { median: ours }, figure);
      });
    }),
};
