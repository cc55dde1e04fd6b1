/** Mocks that listen. */

import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeTransport } from '@concordat/runtime/node';
import { mockHandler } from '@concordat/tools/mock';

/** The mock of a document, which listens. */
export async function mockOf(
  document: object,
  options?: Parameters<typeof mockHandler>[1],
): Promise<[server: Server, url: string]> {
  const directory = await mkdtemp(join(tmpdir(), 'concordat-mock-'));
  const file = join(directory, 'openapi.json');
  await writeFile(file, JSON.stringify(document));
  const handler = await mockHandler(file, options);
  await rm(directory, { recursive: true });
  const server = createServer(nodeTransport(handler));
  return [server, await listening(server)];
}

/** Starts a server. @returns its address */
export async function listening(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}
