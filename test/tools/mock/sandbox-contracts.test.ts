/** The sandbox of contracts: verify, with all its rules, finds nothing that it lost, changed or listed wrongly. */

import { type Server, createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { nodeTransport } from '@concordat/runtime/node';
import { handlerOf, sandboxOf } from '../../../src/tools/mock/mock-handlers.js';
import { runContract } from '../../../src/tools/running/running-contract.js';
import {
  fixture,
  hasSharedFolder,
  mockedContracts,
  printSkipped,
  sharedContracts,
  triesAll,
} from '../../codegen/contract-list.js';
import { violationsOf } from './mock-server.js';

const pathOf = (name: string): string => fileURLToPath(new URL(`../../../${name}`, import.meta.url));
const own = ['openapi.yaml', 'test/tools/verify/openapi/notebook.yaml'].map((name) => ({
  name,
  file: pathOf(name),
}));
const LARGE = 'github-rest.openapi-3.0.json';
const shared = hasSharedFolder ? sharedContracts.filter(({ name }) => triesAll || name !== LARGE) : [];
const large = triesAll ? mockedContracts : [];

/** The number of operations with state, of all operations. Ours grows: at least the share is kept. */
const STATEFUL: Readonly<Record<string, readonly [number, number]>> = {
  'test/tools/verify/openapi/notebook.yaml': [5, 8],
  'library/openapi.yaml': [2, 4],
  'petstore-expanded.openapi-3.0.yaml': [4, 4],
  'museum.yaml': [7, 8],
  'train-travel/openapi.yaml': [6, 7],
};

describe('the sandbox of', function () {
  this.timeout(triesAll ? 300_000 : 120_000);
  const servers: Server[] = [];
  after(() => {
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
  });

  printSkipped(LARGE);

  for (const { name, file } of [...own, fixture('library/openapi.yaml'), ...shared, ...large]) {
    it(name, async () => {
      const running = await runContract(file);
      const sandbox = sandboxOf(running);
      const lines = sandbox.explained();
      const stateful = lines.filter((line) => !line.includes(': no state (')).length;
      if (STATEFUL[name] === undefined)
        expect(stateful / lines.length).to.be.at.least(name === 'openapi.yaml' ? 0.7 : 0.2);
      else expect([stateful, lines.length]).to.deep.equal(STATEFUL[name]);
      if (process.env['SANDBOX_TABLE'] !== undefined)
        console.log(`| ${name} | ${String(stateful)} | ${String(lines.length)} |`);

      const server = createServer(nodeTransport(handlerOf(file, running, undefined, sandbox)));
      servers.push(server);
      const { securitySchemes } = running.model;
      const credentials = Object.fromEntries(
        Object.keys(securitySchemes).map((each) => [each, 'ada:secret']),
      );
      expect(await violationsOf(server, file, credentials)).to.deep.equal([]);
    });
  }
});
