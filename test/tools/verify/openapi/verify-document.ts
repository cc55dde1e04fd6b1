/** Verifies a server that a test writes for a document of its own. */

import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type RequestListener, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { VerifyOptions } from '../../../../src/tools/verify/openapi/verify-openapi.js';
import { verifyContracts } from '../../../../src/tools/verify/verify-contracts.js';
import type { VerifyReport } from '../../../../src/tools/verify/run/verify-report.js';

export async function verifyDocument(
  document: object,
  listener: RequestListener,
  options: Partial<VerifyOptions> = {},
): Promise<VerifyReport> {
  const directory = await mkdtemp(join(tmpdir(), 'concordat-verified-'));
  const openapi = join(directory, 'openapi.json');
  await writeFile(openapi, JSON.stringify(document));
  const server = createServer(listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port
  try {
    const url = `http://127.0.0.1:${String(port)}`;
    const budget = { seed: 1, requests: 5000, seconds: 600 };
    return await verifyContracts({
      graphqlPath: '/graphql',
      headers: {},
      url,
      openapi,
      credentials: {},
      ...budget,
      warn: [],
      protect: [],
      ...options,
    });
  } finally {
    server.close();
    server.closeAllConnections();
    await rm(directory, { recursive: true, force: true });
  }
}
