/** Verifies that the bridge answers as __OLD__ says. Examples of __NEW__ take the place of your engine. */

import { equal } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { restEngine } from '@concordat/runtime'; // without SCHEMES
import { type SecurityHandler, restEngine } from '@concordat/runtime'; // with SCHEMES
import { nodeTransport } from '@concordat/runtime/node';
import { mockHandlers } from '@concordat/tools/mock';
import { bridge } from './bridge.js';
import { contract } from './v2/routing.js';
 // with SCHEMES
/** Takes every credential but the wrong ones of verify: `d3Jvbmc` is `wrong` in Base64. */ // with SCHEMES
const anyone: SecurityHandler<undefined> = { // with SCHEMES
  missing: 'A credential is missing', // with SCHEMES
  authenticate: (credential, { scopes }) => // with SCHEMES
    /^(?:wrong|d3Jvbmc)/.test(credential) ? { refused: 'It is wrong' } : { caller: undefined, scopes }, // with SCHEMES
}; // with SCHEMES

void test('the old version keeps its contract', async () => {
  const operations = await mockHandlers('__NEW__', contract);
  const security = {
    '__SCHEMES__': anyone,
  };
  const engine = restEngine({ contract, operations, security, anonymous: undefined, report: console.error });
  const server = createServer(nodeTransport(bridge(engine))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const verify = ['concordat', 'verify', `http://127.0.0.1:${port}`, '--openapi', '__OLD__'];
  verify.push('--credential', '__CREDENTIALS__');
  const [exitCode] = await once(spawn('npx', verify, { stdio: 'inherit' }), 'exit');
  server.close();
  equal(exitCode, 0);
});
