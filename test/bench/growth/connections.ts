/** What a request to the whole service costs on a few connections and on many that are kept alive. */

import { type Reached, takeTurns } from '../compare.js';
import { findMeter } from '../load.js';
import { ServerProcess } from '../server-process.js';
import type { GrowthTask } from './growth-row.js';

const SIZES = [32, 100, 1000];

export const connectionsTask: GrowthTask = {
  name: 'connections',
  async run({ rounds, seconds }) {
    const reached: Reached[] = [];
    for (const connections of SIZES) {
      // Each has a process of its own, because memory that was once in use stays with a process.
      const server = await ServerProcess.startService({ LOG_LEVEL: 'info' });
      try {
        const { url, pid } = server;
        const load = { url, paths: ['/api/users?limit=10'] as const, connections };
        reached.push(...(await takeTurns(findMeter().measure, [{ load, pid }], { count: rounds, seconds })));
      } finally {
        await server.stop();
      }
    }
    const costs = reached.map(({ rate, cpu, mebibytes }, index) => {
      const size = `${(SIZES[index] ?? 0).toLocaleString('en')} connections`;
      return { size, microseconds: 1e6 / rate, cpu, mebibytes };
    });
    return [{ work: 'GET /api/users of the service', costs, limit: 1.25 }];
  },
};
