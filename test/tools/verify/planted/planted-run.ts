/** Runs `verify` against the servers with planted faults, and counts the faults that it finds. */

import type { VerifyReport, Violation } from '../../../../src/tools/verify/run/verify-report.js';
import { verifyContracts } from '../../../../src/tools/verify/verify-contracts.js';
import { SHOP_FAULTS, type ShopFault } from './shop-faults.js';
import { ShopServer } from './shop-server.js';

const OPTIONS = {
  graphqlPath: '/graphql',
  headers: {},
  credentials: {},
  ...{ seed: 1, requests: 5000, seconds: 120, warn: [], protect: [] },
};

export interface PlantedResult {
  readonly fault: string | undefined;
  /** Whether a rule of the fault is broken. */
  readonly isFound: boolean;
  readonly report: VerifyReport;
}

/** @param faults - undefined for the server without a fault */
export async function* shopResults(
  faults: readonly (ShopFault | undefined)[],
  more: object = {},
): AsyncGenerator<PlantedResult> {
  const server = new ShopServer();
  const url = await server.start();
  try {
    for (const fault of faults) {
      server.reset(fault);
      const openapi = 'test/tools/verify/planted/shop.yaml';
      const rules: readonly string[] = fault === undefined ? [] : SHOP_FAULTS[fault];
      const until = ({ rule }: Violation): boolean => rules.includes(rule);
      const report = await verifyContracts({ ...OPTIONS, url, openapi, until, ...more });
      yield { fault, report, isFound: report.violations.some(({ rule }) => rules.includes(rule)) };
    }
  } finally {
    server.stop();
  }
}
