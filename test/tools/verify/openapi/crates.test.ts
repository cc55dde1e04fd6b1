/** `concordat verify` finds the faults that users find: records that are stored, found and paged wrongly, also with ids above 2^53. */

import { expect } from 'chai';
import { verifyContracts } from '../../../../src/tools/verify/verify-contracts.js';
import type { VerifyReport } from '../../../../src/tools/verify/run/verify-report.js';
import { someOf, untilFound } from '../../../support/budget.js';
import { CRATE_FAULTS, type CrateFault, CrateServer, KEY } from './crate-server.js';

describe('verify: crates', () => {
  const server = new CrateServer();
  let url = '';
  before(async () => {
    url = await server.start();
  });
  after(() => {
    server.stop();
  });

  function run(fault?: CrateFault, seed = 1, more: object = {}): Promise<VerifyReport> {
    server.reset(fault);
    return verifyContracts({
      graphqlPath: '/graphql',
      headers: {},
      url,
      openapi: 'test/tools/verify/openapi/crates.yaml',
      credentials: { key: KEY },
      ...{ seed, requests: 5000, seconds: 600, warn: [], protect: [], ...more },
    });
  }

  for (const seed of someOf([1, 2, 3], 3)) {
    it(`finds nothing in a correct server, with seed ${String(seed)}`, async () => {
      const { violations, operations, isComplete } = await run(undefined, seed);
      expect(violations).to.deep.equal([]);
      expect(operations.filter(({ successes }) => successes === 0)).to.deep.equal([]);
      expect(isComplete).to.equal(true);
    });
  }

  const faults = Object.entries(CRATE_FAULTS) as readonly (readonly [CrateFault, string])[];
  for (const [fault, rule] of someOf(faults, 4)) {
    it(`finds that ${fault}`, async () => {
      const { violations } = await run(fault, 1, untilFound(rule));
      expect(violations.map((each) => each.rule)).to.include(rule);
    });
  }
});
