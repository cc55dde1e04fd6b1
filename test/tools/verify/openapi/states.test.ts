/** `concordat verify` reaches the states of a resource: by links, by the ids in answers and by conditions that hold. */

import { expect } from 'chai';
import type { VerifyReport } from '../../../../src/tools/verify/run/verify-report.js';
import { document, parcelServer } from './parcel-server.js';
import { verifyDocument } from './verify-document.js';

describe('verify: states', () => {
  const server = parcelServer();

  function run(): Promise<VerifyReport> {
    return verifyDocument(document, server.listener, { seed: 3 });
  }

  let report: VerifyReport;
  before(async () => {
    report = await run();
  });

  it('reaches each operation of a server without faults', () => {
    const { violations, operations } = report;
    expect(violations).to.deep.equal([]);
    expect(operations.filter(({ successes }) => successes === 0)).to.deep.equal([]);
  });

  it('does not let a condition that fails hide what the body is about', () => {
    const replaced = report.operations.find(({ id }) => id === 'replaceParcel');
    expect(replaced?.successes).to.be.greaterThan(8);
  });

  it('finds a fault that only a link leads to', async () => {
    server.isDeliveryBroken = true;
    const { violations } = await run();
    server.isDeliveryBroken = false;
    expect(violations.map(({ rule, about }) => [rule, about])).to.deep.equal([
      ['server-error', 'the link deliver of sendParcel'],
    ]);
  });

  it('finds a valid body that is refused for another reason than an id', async () => {
    server.isLabelRefused = true;
    const { violations } = await run();
    server.isLabelRefused = false;
    expect(violations.map(({ rule, operation }) => [rule, operation])).to.deep.include([
      'valid-refused',
      'POST /parcels',
    ]);
  });
});
