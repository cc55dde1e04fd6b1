/** What an event to a WebSocket costs the whole service among a thousand subscribers and among five thousand. */

import { median } from '../compare.js';
import { startFanOut } from '../fan-out.js';
import { residentMebibytes } from '../process-usage.js';
import { ServerProcess } from '../server-process.js';
import type { Cost, GrowthTask } from './growth-row.js';

const SIZES = [1000, 5000];
const POSTS = 20;
/** A WebSocket is an open file. */
const OPEN_FILES = 16_384;

export const subscribersTask: GrowthTask = {
  name: 'subscribers',
  async run({ rounds }) {
    const costs: Cost[] = [];
    for (const subscribers of SIZES) costs.push(await costOf(subscribers, rounds));
    return [{ work: 'an event to a subscriber, over WebSocket', costs, limit: 1.25 }];
  },
};

async function costOf(subscribers: number, rounds: number): Promise<Cost> {
  const server = await ServerProcess.startService({ LOG_LEVEL: 'info' }, OPEN_FILES);
  try {
    const fanOut = await startFanOut(server, subscribers, POSTS);
    try {
      const elapsed: number[] = [];
      let cpuSeconds = 0;
      for (let round = 0; round < rounds; round += 1) {
        const { seconds, cpu } = await fanOut.publish();
        elapsed.push(seconds);
        cpuSeconds += cpu;
      }
      const events = subscribers * POSTS;
      return {
        size: `${subscribers.toLocaleString('en')} subscribers`,
        microseconds: (median(elapsed) * 1e6) / events,
        cpu: (cpuSeconds * 1e6) / (events * rounds),
        mebibytes: residentMebibytes(server.pid),
      };
    } finally {
      await fanOut.leave();
    }
  } finally {
    await server.stop();
  }
}
