/** What a kilobyte of a JSON body costs in small bodies and in large ones, which are read, checked and handed over as a whole. */

import { type Reached, takeTurns } from '../compare.js';
import { findMeter } from '../load.js';
import { peakMebibytes } from '../process-usage.js';
import type { ServerProcess } from '../server-process.js';
import type { GrowthTask } from './growth-row.js';
import { startContract } from './operations.js';
import { sizedContract } from './sized-contract.js';

const KILOBYTES = [1, 10, 100, 1000, 10_000];
/** Few, so that the memory is that of the bodies in flight, and not of a queue. */
const CONNECTIONS = 4;

export const bodiesTask: GrowthTask = {
  name: 'bodies',
  async run({ rounds, seconds }) {
    const contract = await sizedContract(30);
    const measured: (Reached & { readonly peak: number })[] = [];
    try {
      for (const kilobytes of KILOBYTES) {
        const server = await startContract(contract);
        try {
          const [reached] = await measure(server, kilobytes, rounds, seconds);
          if (reached !== undefined) measured.push({ ...reached, peak: peakMebibytes(server.pid) });
        } finally {
          await server.stop();
        }
      }
    } finally {
      contract.remove();
    }
    const costs = measured.map(({ rate, cpu, peak }, index) => {
      const kilobytes = KILOBYTES[index] ?? Number.NaN;
      const size = `${kilobytes.toLocaleString('en')} kB`;
      return { size, microseconds: 1e6 / (rate * kilobytes), cpu: cpu / kilobytes, mebibytes: peak };
    });
    const reason = `memory: ${String(CONNECTIONS)} bodies at once, as bytes, text and value`;
    const of = (bodies: string): string => `a kilobyte of a ${bodies} body, with the most memory`;
    return [
      // What a request costs without its body is shared by more and more kilobytes.
      { work: of('small'), costs: costs.slice(0, 3), limit: 1 },
      { work: of('large'), costs: costs.slice(2), limit: 2, reason },
    ];
  },
};

function measure(
  { url, pid }: ServerProcess,
  kilobytes: number,
  count: number,
  seconds: number,
): Promise<readonly Reached[]> {
  const record = { id: '1', name: 'a record', text: '' };
  const text = 'x'.repeat(kilobytes * 1000 - JSON.stringify(record).length);
  const load = {
    url,
    paths: ['/api/resources-1'] as const,
    body: JSON.stringify({ ...record, text }),
    connections: CONNECTIONS,
  };
  return takeTurns(findMeter().measure, [{ load, pid }], { count, seconds });
}
