/** The sandbox of `openapi.yaml` in place of the service, for black-box suites: `TEST_TARGET=sandbox`. */

import { type Server, createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { HttpHandler, Json } from '@concordat/runtime';
import { nodeTransport } from '@concordat/runtime/node';
import { handlerOf, sandboxOf } from '../../src/tools/mock/mock-handlers.js';
import { type RunningContract, runContract } from '../../src/tools/running/running-contract.js';
import type { RunningService } from '../../src/service/serve.js';

export const targetsSandbox = process.env['TEST_TARGET'] === 'sandbox';

const file = fileURLToPath(new URL('../../openapi.yaml', import.meta.url));
let running: Promise<RunningContract> | undefined;

/** Starts an empty sandbox. Its `services` have only what creates the posts that no REST operation creates. */
export async function startSandbox(): Promise<RunningService> {
  const contract = await (running ??= runContract(file));
  const sandbox = sandboxOf(contract);
  sandbox.load({});
  const mock = handlerOf(file, contract, undefined, sandbox);
  // The contract does not declare the header that marks mocks.
  const handler: HttpHandler = async (request) => {
    const { headers, ...response } = await mock(request);
    const declared = Object.entries(headers).filter(([name]) => name !== 'X-Mock');
    return { ...response, headers: Object.fromEntries(declared) };
  };
  const server: Server = createServer(nodeTransport(handler));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const posts = sandbox.collections.find(({ parts }) => parts.name === 'posts');
  const create = (_: unknown, fields: Json): Promise<unknown> => Promise.resolve(posts?.create(fields).value);
  const service = {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    services: { posts: { create } },
    stop: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
  return service as unknown as RunningService;
}
