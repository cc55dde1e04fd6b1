/** Prints which of the faults that are put into a small server `concordat verify` finds. */

import { verifyContracts } from '../../../src/tools/verify/verify-contracts.js';
import { type PlantedResult, marketResults, shopResults } from '../../tools/verify/planted/planted-run.js';
import { MARKET_FAULTS, type MarketFault } from '../../tools/verify/planted/market-faults.js';
import { SHOP_FAULTS, type ShopFault } from '../../tools/verify/planted/shop-faults.js';
import { CRATE_FAULTS, type CrateFault, CrateServer, KEY } from '../../tools/verify/openapi/crate-server.js';

/** A line per fault, and the violations of the server without a fault. */
export async function printFaults(): Promise<void> {
  const server = new CrateServer();
  const url = await server.start();
  const rulesOf = async (fault?: CrateFault): Promise<readonly string[]> => {
    server.reset(fault);
    const { violations } = await verifyContracts({
      graphqlPath: '/graphql',
      headers: {},
      url,
      openapi: 'test/tools/verify/openapi/crates.yaml',
      credentials: { key: KEY },
      ...{ seed: 1, requests: 5000, seconds: 60, warn: [], protect: [] },
    });
    return [...new Set(violations.map(({ rule }) => rule))];
  };
  try {
    console.log(`\nverify: without a fault: ${String((await rulesOf()).length)} false violations`);
    let count = 0;
    const faults = Object.keys(CRATE_FAULTS) as readonly CrateFault[];
    for (const fault of faults) {
      const rules = await rulesOf(fault);
      const isFound = rules.includes(CRATE_FAULTS[fault]);
      count += Number(isFound);
      console.log(`${fault.padEnd(52)}${isFound ? 'found' : 'not found'}  ${rules.join(', ')}`);
    }
    console.log(`found: ${String(count)} of ${String(faults.length)}`);
  } finally {
    server.stop();
  }
}

/** The same for the faults of meaning in a shop and in a market of GraphQL. Those without a rule do not follow from the contract. */
export async function printPlantedFaults(): Promise<void> {
  const shop = [undefined, ...(Object.keys(SHOP_FAULTS) as readonly ShopFault[])];
  const market = [undefined, ...(Object.keys(MARKET_FAULTS) as readonly MarketFault[])];
  await printResults('REST', shopResults(shop), shop.length - 1);
  await printResults('GraphQL', marketResults(market), market.length - 1);
}

async function printResults(
  title: string,
  results: AsyncIterable<PlantedResult>,
  all: number,
): Promise<void> {
  console.log(`\nverify: faults of meaning, ${title}`);
  let count = 0;
  for await (const { fault, isFound, report } of results) {
    const { requests, violations } = report;
    count += Number(isFound);
    const verdict =
      fault === undefined ? `${String(violations.length)} false violations` : isFound ? 'found' : 'not found';
    console.log(`${(fault ?? 'without a fault').padEnd(52)}${verdict}  ${String(requests)} requests`);
  }
  console.log(`found: ${String(count)} of ${String(all)}`);
}
