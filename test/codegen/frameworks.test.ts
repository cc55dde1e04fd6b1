/** Documents as frameworks write them: code is generated from each, every operation has a valid request, and verify finds no fault in the sandbox. */

import { createServer } from 'node:http';
import { expect } from 'chai';
import { nodeTransport } from '@concordat/runtime/node';
import { sampleRequests } from '@concordat/tools/mock';
import { generate } from 'concordat';
import { handlerOf, sandboxOf } from '../../src/tools/mock/mock-handlers.js';
import { runContract } from '../../src/tools/running/running-contract.js';
import { verifyContracts } from '../../src/tools/verify/verify-contracts.js';
import { listening } from '../tools/mock/mock-server.js';
import { someOf } from '../support/budget.js';
import { frameworkContracts } from './contract-list.js';

describe('a document as a framework writes it', () => {
  for (const { name, file, accept } of someOf(frameworkContracts, 5, 2)) {
    it(`of ${name} is generated from, mocked and verified`, async () => {
      const files = await generate({ openapi: file, accept });
      expect(files).to.include.keys('operations.ts', 'routing.ts', 'validators.ts');

      const samples = Object.entries(await sampleRequests(file));
      expect(samples.filter(([, sample]) => sample === undefined)).to.deep.equal([]);

      const running = await runContract(file);
      const server = createServer(nodeTransport(handlerOf(file, running, undefined, sandboxOf(running))));
      const url = await listening(server);
      const schemes = Object.keys(running.model.securitySchemes);
      const report = await verifyContracts({
        openapiPath: '/',
        graphqlPath: '/graphql',
        headers: {},
        requests: 100,
        seconds: 50,
        url,
        openapi: file,
        credentials: Object.fromEntries(schemes.map((each) => [each, 'ada:secret'])),
        seed: 1,
        warn: [],
        protect: [],
      });
      server.close().closeAllConnections();
      expect(report.violations.filter(({ isWarning }) => !isWarning)).to.deep.equal([]);
    });
  }
});
