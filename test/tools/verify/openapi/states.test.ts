/** `concordat verify` reaches the states of a resource: by links, by the ids in answers and by conditions that hold. */

import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { verifyOpenapi } from '../../../../src/tools/verify/openapi/verify-openapi.js';
import type { VerifyReport } from '../../../../src/tools/verify/run/verify-report.js';
import { type ParcelServer, document, parcelServer } from './parcel-server.js';

describe('verify: states', function () {
  this.timeout(60_000);
  let directory = '';
  let openapi = '';
  let server: ParcelServer;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'concordat-states-'));
    openapi = join(directory, 'openapi.json');
    await writeFile(openapi, JSON.stringify(document));
    server = parcelServer();
    await once(server.http.listen(0, '127.0.0.1'), 'listening');
  });
  after(async () => {
    server.http.close();
    server.http.closeAllConnections();
    await rm(directory, { recursive: true, force: true });
  });

  function run(): Promise<VerifyReport> {
    const budget = { seed: 3, requests: 5000, seconds: 50, warn: [], skip: [], protect: [] };
    return verifyOpenapi({ url: server.url(), openapi, credentials: {}, ...budget });
  }

  it('reaches each operation of a server without faults', async () => {
    const { violations, operations } = await run();
    expect(violations).to.deep.equal([]);
    expect(operations.filter(({ successes }) => successes === 0)).to.deep.equal([]);
  });

  it('does not let a condition that fails hide what the body is about', async () => {
    const { operations } = await run();
    const replaced = operations.find(({ id }) => id === 'replaceParcel');
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
