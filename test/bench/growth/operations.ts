/** What a request costs among thirty operations and among a thousand. */

import { fileURLToPath } from 'node:url';
import { takeTurns } from '../compare.js';
import { type Load, findMeter } from '../load.js';
import { ServerProcess } from '../server-process.js';
import type { Growth, GrowthOptions, GrowthTask } from './growth-row.js';
import { type SizedContract, sizedContract } from './sized-contract.js';

const SIZES = [30, 1000];
const SERVER = fileURLToPath(new URL('contract-server.ts', import.meta.url));

/** Starts a server on a generated contract. */
export function startContract({ moduleUrl }: SizedContract): Promise<ServerProcess> {
  return ServerProcess.start('--conditions=@concordat/source', '--import', 'tsx', SERVER, moduleUrl);
}

interface Case {
  readonly work: string;
  readonly choose: (paths: Load['paths']) => Load['paths'];
  readonly warmUpSeconds?: number;
}

const CASES: readonly Case[] = [
  { work: 'GET /api/resources-1/{id}', choose: ([first]) => [first] },
  // Each of a thousand handlers is called rarely, so V8 needs this long to optimise them all.
  { work: 'GET /api/resources-N/{id}, every N in turn', choose: (paths) => paths, warmUpSeconds: 15 },
];

export const operationsTask: GrowthTask = {
  name: 'operations',
  async run(options) {
    const contracts: SizedContract[] = [];
    const servers: ServerProcess[] = [];
    try {
      for (const size of SIZES) contracts.push(await sizedContract(size));
      for (const contract of contracts) servers.push(await startContract(contract));
      const growths: Growth[] = [];
      for (const each of CASES) growths.push(await measure(each, contracts, servers, options));
      return growths;
    } finally {
      for (const server of servers) await server.stop();
      for (const contract of contracts) contract.remove();
    }
  },
};

async function measure(
  { work, choose, ...warmUp }: Case,
  contracts: readonly SizedContract[],
  servers: readonly ServerProcess[],
  { rounds, seconds }: GrowthOptions,
): Promise<Growth> {
  const contenders = servers.map(({ url, pid }, index) => {
    const [first = '/', ...others] = contracts[index]?.paths ?? [];
    return { load: { url, paths: choose([first, ...others]) }, pid };
  });
  const reached = await takeTurns(findMeter().measure, contenders, { count: rounds, seconds, ...warmUp });
  const costs = reached.map(({ rate, cpu, mebibytes }, index) => {
    const size = `${(SIZES[index] ?? 0).toLocaleString('en')} operations`;
    return { size, microseconds: 1e6 / rate, cpu, mebibytes };
  });
  return { work, costs, limit: 1.05 };
}
