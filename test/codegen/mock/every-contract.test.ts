/** The mock of every contract that the generator is tried on: each operation answers what the contract declares. */

import { expect } from 'chai';
import { memoryRequest } from 'concordat';
import { mockGraphql, mockHandler } from '@concordat/codegen/mock';
import { loadContract } from '../../../src/codegen/load/load.js';
import { readContract } from '../../../src/codegen/read/operations.js';
import { Reader } from '../../../src/codegen/read/reader.js';
import {
  fixtureContracts,
  hasSharedFolder,
  schemas,
  sharedContracts,
  sharedFolder,
} from '../contract-list.js';
import { samplePath } from '../sample-path.js';

describe('the mock of', function () {
  this.timeout(60_000);

  if (!hasSharedFolder) {
    it(`contracts of other people (skipped: there is no folder ${sharedFolder})`, function () {
      this.skip();
    });
  }

  for (const { name, file } of [...fixtureContracts, ...(hasSharedFolder ? sharedContracts : [])]) {
    it(name, async () => {
      const { operations } = readContract(new Reader((await loadContract(file)).document));
      if (operations.length === 0) {
        expect(await mockHandler(file, { validate: false }).catch(String)).to.include('has no operation');
        return;
      }
      const mock = await mockHandler(file, { validate: false });
      for (const { method, path: template, responses } of operations) {
        const { path } = samplePath(template);
        const { status } = await mock(memoryRequest({ method, path }));
        const declared = responses.map((each) => each.status.toLowerCase());
        const names = [String(status), `${String(status).charAt(0)}xx`, 'default'];
        expect(
          declared.some((each) => names.includes(each)),
          `${method} ${path}: ${String(status)}`,
        ).to.equal(true);
      }
    });
  }

  for (const { name, file } of schemas) {
    it(name, async () => {
      const query = new URLSearchParams({
        query: '{ __schema { queryType { name } } __typename }',
      }).toString();
      const answer = await (await mockGraphql(file))(memoryRequest({ path: '/graphql', query }));
      expect(answer.status).to.equal(200);
    });
  }
});
