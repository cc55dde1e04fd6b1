// transport.test.ts
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { HttpHandler } from '@concordat/runtime';
import { transportChecks } from '@concordat/runtime/conformance';
import { nodeTransport } from '@concordat/runtime/node'; // yours

async function serve(handler: HttpHandler) {
  const server = createServer(nodeTransport(handler)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.close().closeAllConnections();
    await once(server, 'close');
  };
  return { url: `http://127.0.0.1:${String(port)}`, close };
}

for (const check of transportChecks) {
  test(`${check.level} ${check.id}: ${check.name}`, () => check.run(serve));
}
