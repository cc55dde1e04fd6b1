/** Serves contracts for the tests of clients, and makes clients with loose types. */

import { once } from 'node:events';
import { copyFile, writeFile } from 'node:fs/promises';
import { type RequestListener, type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Answer, RestContract } from '@concordat/runtime';
import { restClient } from '@concordat/runtime/client';
import { nodeTransport } from '@concordat/runtime/node';
import { fixture } from '../../codegen/contract-list.js';
import {
  type GeneratedContract,
  type Service,
  generateContract,
  removeDirectory,
  temporaryPackage,
} from '../../codegen/generated-contract.js';

/** A call as loosely as tests of many contracts need it. */
type Call = (
  request?: object,
  options?: { readonly headers?: object; readonly signal?: AbortSignal },
) => Promise<Answer>;
export type Loose = Readonly<Record<string, Call>>;
type Options = Omit<Parameters<typeof restClient>[0], 'contract' | 'baseUrl'>;

const servers: Server[] = [];
const directories: string[] = [];

export async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

export async function generated(openapi: string | object, values?: object): Promise<GeneratedContract> {
  const directory = await temporaryPackage();
  directories.push(directory);
  const file = typeof openapi === 'string' ? fixture(openapi).file : join(directory, 'openapi.json');
  if (typeof openapi === 'object') await writeFile(file, JSON.stringify(openapi));
  const money = fileURLToPath(new URL('../../fixtures/values/money.ts', import.meta.url));
  await copyFile(money, join(directory, 'money.ts'));
  return generateContract(directory, { openapi: file, ...(values && { values: values as never }) });
}

export const clientOf = (contract: RestContract, baseUrl: string, options: Options = {}): Loose =>
  restClient({ contract, baseUrl, ...options }) as unknown as Loose;

export async function served(openapi: string | object, service: Service, values?: object) {
  const { contract, responseChecks, start } = await generated(openapi, values);
  const engine = start(service);
  const url = await listen(nodeTransport(engine));
  return { engine, contract, responseChecks, url, client: clientOf(contract, url, { responseChecks }) };
}

/** What a promise was rejected with. */
export async function rejection(promise: Promise<unknown> | undefined): Promise<Error> {
  const outcome = await Promise.resolve(promise).then(
    () => new Error('nothing was thrown'),
    (error: unknown) => error as Error,
  );
  return outcome;
}

/** Stops the servers of the calling suite after it, and removes what it generated. */
export function useServers(): void {
  after(async () => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
    await Promise.all(directories.splice(0).map(removeDirectory));
  });
}
