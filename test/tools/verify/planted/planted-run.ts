/** Runs `verify` against the servers with planted faults, and counts the faults that it finds. */

import type { VerifyReport, Violation } from '../../../../src/tools/verify/run/verify-report.js';
import { verifyContracts } from '../../../../src/tools/verify/verify-contracts.js';
import { MARKET_FAULTS, type MarketFault } from './market-faults.js';
import { MarketServer } from './market-server.js';
import { SHOP_FAULTS, type ShopFault } from './shop-faults.js';
import { ShopServer } from './shop-server.js';

const OPTIONS = {
  graphqlPath: '/graphql',
  headers: {},
  credentials: {},
  ...{ seed: 1, requests: 5000, seconds: 600, warn: [], protect: [] },
};

export interface PlantedResult {
  readonly fault: string | undefined;
  /** Whether a rule of the fault is broken. */
  readonly isFound: boolean;
  readonly report: VerifyReport;
}

/** @param faults - undefined for the server without a fault */
export function shopResults(faults: readonly (ShopFault | undefined)[]): AsyncGenerator<PlantedResult> {
  const openapi = 'test/tools/verify/planted/shop.yaml';
  return results(new ShopServer(), { openapi }, faults, SHOP_FAULTS);
}

/** @param faults - undefined for the server without a fault */
export function marketResults(faults: readonly (MarketFault | undefined)[]): AsyncGenerator<PlantedResult> {
  const schema = 'test/tools/verify/planted/market.graphql';
  return results(new MarketServer(), { schema }, faults, MARKET_FAULTS);
}

interface PlantedServer<Fault extends string> {
  start(): Promise<string>;
  reset(fault: Fault | undefined): void;
  stop(): void;
}

async function* results<Fault extends string>(
  server: PlantedServer<Fault>,
  contract: object,
  faults: readonly (Fault | undefined)[],
  rulesOf: Readonly<Record<Fault, readonly string[]>>,
): AsyncGenerator<PlantedResult> {
  const url = await server.start();
  try {
    for (const fault of faults) {
      server.reset(fault);
      const rules: readonly string[] = fault === undefined ? [] : rulesOf[fault];
      const until = ({ rule }: Violation): boolean => rules.includes(rule);
      const report = await verifyContracts({ ...OPTIONS, ...contract, url, until });
      yield { fault, report, isFound: report.violations.some(({ rule }) => rules.includes(rule)) };
    }
  } finally {
    server.stop();
  }
}
