/** Verifies that the bridge answers as __OLD__ says. Examples of __NEW__ take the place of your engine. */

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { restEngine } from '@concordat/runtime'; // without SCHEMES
import { type SecurityHandler, restEngine } from '@concordat/runtime'; // with SCHEMES
import { nodeTransport } from '@concordat/runtime/node';
import { xmlEncoder } from '@concordat/runtime/xml'; // with XML
import { mockHandlers } from '@concordat/tools/mock';
import { bridge } from './bridge.js';
import { contract } from './v2/routing.js';

/** Takes every credential, but those with which verify tries whether a wrong one is refused; `d3Jvbmc` is `wrong` in Base64. */ // with SCHEMES
const anyone: SecurityHandler<undefined> = { // with SCHEMES
  missing: 'A credential is missing', // with SCHEMES
  authenticate: (credential, { scopes }) => // with SCHEMES
    /^(?:wrong|d3Jvbmc)/.test(credential) ? { refused: 'It is wrong' } : { caller: undefined, scopes }, // with SCHEMES
}; // with SCHEMES
 // with SCHEMES
void test('the old version keeps its contract', async () => {
  const engine = restEngine({
    contract,
    operations: await mockHandlers('__NEW__', contract),
    security: {}, // without SCHEMES
    security: { // with SCHEMES
      '__SCHEMES__': anyone,
    }, // with SCHEMES
    anonymous: undefined,
    encoders: { // with ENCODED
      '__XML__': xmlEncoder(contract.xmlNames), // with XML
      '__OTHER__': String, // with OTHER
    }, // with ENCODED
    report: console.error,
  });
  const server = createServer(nodeTransport(bridge(engine)));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    await promisify(execFile)('npx', [
      ...['concordat', 'verify', `http://127.0.0.1:${port}`, '--openapi', '__OLD__'],
      ...['--credential', '__CREDENTIALS__'],
    ]);
  } finally {
    server.close();
  }
});
