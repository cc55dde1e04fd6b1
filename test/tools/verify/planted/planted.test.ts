/** `concordat verify` finds planted faults of meaning, and none in the server without a fault. */

import { expect } from 'chai';
import { someOf } from '../../../support/budget.js';
import type { MarketFault } from './market-faults.js';
import { marketResults, shopResults } from './planted-run.js';
import type { ShopFault } from './shop-faults.js';

/** Each found within a few hundred requests. */
const SAMPLE: readonly ShopFault[] = [
  'the ETag is constant',
  'PUT takes a stale If-Match',
  'a patch clears the other members',
  'a review is read under another product',
  'sort is ignored',
  'texts are escaped for HTML',
];

/** One of each rule. */
const MARKET_SAMPLE: readonly MarketFault[] = [
  'after is ignored',
  'totalCount ignores the filter',
  'a filter by false is ignored',
  'a descending order ascends',
  'a deleted product is listed',
  'reviews of all products are listed',
  'texts are escaped for HTML',
  'a change clears the other members',
];

describe('verify: planted faults', function () {
  this.timeout(300_000);

  it('finds nothing in the shop without a fault', async () => {
    for await (const { report } of shopResults([undefined])) {
      expect(report.violations).to.deep.equal([]);
      expect(report.operations.filter(({ successes }) => successes === 0)).to.deep.equal([]);
    }
  });

  it('finds a sample of the faults', async () => {
    const missed: unknown[] = [];
    for await (const { fault, isFound } of shopResults(someOf(SAMPLE, 6))) if (!isFound) missed.push(fault);
    expect(missed).to.deep.equal([]);
  });

  it('finds nothing in the market without a fault', async () => {
    for await (const { report } of marketResults([undefined])) {
      expect(report.violations).to.deep.equal([]);
      expect(report.operations.filter(({ successes }) => successes === 0)).to.deep.equal([]);
    }
  });

  it('finds a sample of the faults of a GraphQL server', async () => {
    const missed: unknown[] = [];
    for await (const { fault, isFound } of marketResults(someOf(MARKET_SAMPLE, 2)))
      if (!isFound) missed.push(fault);
    expect(missed).to.deep.equal([]);
  });
});
