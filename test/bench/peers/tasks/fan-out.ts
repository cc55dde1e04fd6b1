/** Posts to many subscribers over WebSocket, by the time until all have all of them, and by the server's CPU time. */

import { isDeepStrictEqual } from 'node:util';
import { type FanOut, startFanOut } from '../../fan-out.js';
import { median } from '../../compare.js';
import type { ServerProcess } from '../../server-process.js';
import { type Task, peer } from '../rate-task.js';
import { type Plan, perSecond, rowOf } from '../row.js';
import { withoutTimes } from '../same-answers.js';

const SUBSCRIBERS = 1000;
const POSTS = 60;

const OURS = 'engine on node';
const PEER = 'graphql-ws with graphql-js';
const work = `fan-out to ${SUBSCRIBERS.toLocaleString('en')}`;
const target = { required: 2, aim: 3 };
const plans = [
  { work: `${work}, events`, ours: OURS, peer: PEER, target },
  { work: `${work}, events per CPU second`, ours: OURS, peer: PEER, target },
] as const satisfies readonly Plan[];

interface Side {
  readonly server: ServerProcess;
  readonly subscribers: FanOut;
  readonly rates: number[];
  readonly cpuRates: number[];
}

/** Both servers start with the same posts, and so their next ones have the same ids. */
function requireSameEvent(sides: readonly Side[]): void {
  const [ours = '', theirs = ''] = sides.map(({ subscribers }) => withoutTimes(subscribers.sample));
  const isSame = isDeepStrictEqual(JSON.parse(ours), JSON.parse(theirs)) && ours.length === theirs.length;
  if (!isSame) throw new Error(`the events differ: ${ours} and ${theirs}`);
}

export const fanOutTask: Task = {
  plans,
  async run(chosen, { count }) {
    const sides: Side[] = [];
    try {
      for (const file of ['fan-out/concordat.js', 'fan-out/graphql-ws.js']) {
        const server = await peer(file).start();
        const subscribers = await startFanOut(server, SUBSCRIBERS, POSTS).catch(async (error: unknown) => {
          await server.stop();
          throw error;
        });
        sides.push({ server, subscribers, rates: [], cpuRates: [] });
      }
      requireSameEvent(sides);
      for (let round = 0; round <= count; round += 1) {
        for (const { subscribers, rates, cpuRates } of sides) {
          const { seconds, cpu } = await subscribers.publish();
          // The first round warms up.
          if (round === 0) continue;
          rates.push((SUBSCRIBERS * POSTS) / seconds);
          cpuRates.push((SUBSCRIBERS * POSTS) / cpu);
        }
      }
      const [ours, theirs] = sides.map(({ rates, cpuRates }) => {
        const byCpu = median(cpuRates);
        return [
          { median: median(rates), cpu: 1e6 / byCpu },
          { median: byCpu, cpu: 1e6 / byCpu },
        ] as const;
      });
      if (ours === undefined || theirs === undefined) throw new Error('a server is missing');
      return chosen.map((plan) => {
        const index = plan === plans[0] ? 0 : 1;
        return rowOf(plan, perSecond, ours[index], theirs[index]);
      });
    } finally {
      for (const { server, subscribers } of sides) {
        await subscribers.leave();
        await server.stop();
      }
    }
  },
};
