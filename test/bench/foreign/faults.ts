/** Prints which of the faults that are put into a small server `concordat verify` finds. */

import { verifyContracts } from '../../../src/tools/verify/verify-contracts.js';
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
