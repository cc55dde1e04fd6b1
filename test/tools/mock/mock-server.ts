/** Mocks that listen. */

import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { nodeTransport } from '@concordat/runtime/node';
import { mockHandler } from '@concordat/tools/mock';
import { runProgram } from '../../../src/codegen/cli/program.js';
import { verifyContracts } from '../../../src/tools/verify/verify-contracts.js';
import { Sink } from '../../support/run-program.js';

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

/** What `verify` finds in a server beside its warnings, which say what it cannot know for sure. */
export async function violationsOf(
  server: Server,
  openapi: string,
  credentials: Readonly<Record<string, string>> = {},
): Promise<readonly unknown[]> {
  const report = await verifyContracts({
    openapiPath: '/',
    graphqlPath: '/graphql',
    headers: {},
    requests: 1500,
    seconds: 600,
    url: await listening(server),
    openapi,
    credentials,
    seed: 1,
    warn: [],
    protect: [],
  });
  return report.violations.filter(({ isWarning }) => !isWarning);
}

/** Runs `concordat mock` while a test asks it. */
export async function whileMocking(
  parameters: readonly string[],
  ask: (url: string, line: string) => Promise<void>,
): Promise<void> {
  const [stdout, stderr] = [new Sink(), new Sink()];
  let failure: unknown;
  const exitCode = await runProgram(['mock', ...parameters, '--port', '0'], {
    stdin: Readable.from([]),
    stdout,
    stderr,
    env: {},
    untilStopped: () => {
      const url = /http:\/\/[^\s,]+/.exec(stdout.text)?.[0] ?? '';
      return ask(url, stdout.text).catch((error: unknown) => {
        failure = error;
      });
    },
  });
  if (failure !== undefined) throw failure as Error;
  expect([exitCode, stderr.text]).to.deep.equal([0, '']);
}
