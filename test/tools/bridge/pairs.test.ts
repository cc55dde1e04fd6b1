/** `concordat bridge` on three pairs of versions: what it writes compiles, and what a person completes serves the old version. */

import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import {
  type HttpHandler,
  type RestContract,
  type RestEngine,
  memoryRequest,
  problemDetails,
  restEngine,
} from '@concordat/runtime';
import { xmlEncoder } from '@concordat/runtime/xml';
import { nodeTransport } from '@concordat/runtime/node';
import { runProgram } from '../../../src/codegen/cli/program.js';
import { verifyContracts } from '../../../src/tools/verify/verify-contracts.js';
import type { VerifyReport } from '../../../src/tools/verify/run/verify-report.js';
import { removeDirectory, temporaryPackage } from '../../codegen/generated-contract.js';
import { complaintsOfMany } from '../../codegen/strict-compiler.js';
import { someOf } from '../../support/budget.js';
import { runInProcess } from '../../support/run-program.js';
import { type Mutant, MUTABLE, mutantsOf, mutate } from './mutants.js';
import { type Pair, completed } from './pairs/pair.js';
import { payments } from './pairs/payments.js';
import { readings } from './pairs/readings.js';
import { tickets } from './pairs/tickets.js';

const pairs: readonly Pair[] = [payments, tickets, readings];

describe('concordat bridge: pairs of versions', () => {
  let directory = '';
  const folderOf = ({ name }: Pair): string => join(directory, name);

  before(async () => {
    directory = await temporaryPackage();
    await writeFile(join(directory, 'mutable.ts'), MUTABLE);
    for (const pair of pairs) {
      const folder = folderOf(pair);
      await mkdir(folder);
      await writeFile(join(folder, 'old.yaml'), pair.old);
      await writeFile(join(folder, 'new.yaml'), pair.new);
      const accept = (pair.accept ?? []).flatMap((feature) => ['--accept', feature]);
      const documents = [join(folder, 'old.yaml'), join(folder, 'new.yaml')];
      const { exitCode, stderr } = await runInProcess(runProgram, [
        'bridge',
        ...documents,
        '--out',
        folder,
        ...accept,
      ]);
      expect(stderr).to.equal('');
      expect(exitCode).to.equal(0);
      const whole = completed(await readFile(join(folder, 'bridge.ts'), 'utf8'), pair);
      expect(whole).not.to.include('throw new Error');
      await writeFile(join(folder, 'completed.ts'), whole);
      await writeFile(
        join(folder, 'mutable.ts'),
        whole.replace(/import \{ versionBridge \} .*/, `import { versionBridge } from '../mutable.js';`),
      );
    }
  });
  after(() => removeDirectory(directory));

  it('what is written compiles, and so does what a person completes', () => {
    const files = pairs.flatMap(({ name }) =>
      ['bridge.ts', 'bridge.test.ts', 'completed.ts'].map((file) => `${name}/${file}`),
    );
    expect(complaintsOfMany(directory, files)).to.deep.equal([]);
  });

  for (const pair of pairs) {
    describe(pair.name, () => {
      let bridge: (to: RestEngine<string>) => RestEngine<string>;
      let contract: RestContract;

      before(async () => {
        const load = (name: string): Promise<unknown> =>
          import(pathToFileURL(join(folderOf(pair), name)).href);
        ({ contract } = (await load('v2/routing.ts')) as { contract: typeof contract });
        ({ bridge } = (await load('mutable.ts')) as { bridge: typeof bridge });
      });

      /** A bridge whose store is empty. */
      function started(): RestEngine<string> {
        const { handlers, security = {}, problems = problemDetails.mediaTypes } = pair;
        const asXml = xmlEncoder(contract.xmlNames);
        const options = {
          contract,
          operations: handlers(),
          security,
          problems: { ...problemDetails, mediaTypes: problems },
          encoders: { 'application/xml': asXml, 'application/problem+xml': asXml },
          anonymous: 'nobody',
          report: () => undefined,
        };
        return bridge(restEngine(options as never));
      }
      const differs = async (): Promise<boolean> => (await differences(started(), pair)).length > 0;
      const breaks = async (): Promise<boolean> =>
        (await verified(started(), pair, folderOf(pair), () => true)).violations.length > 0;

      it('is served as the old version', async () => {
        expect(await differences(started(), pair)).to.deep.equal([]);
        const report = await verified(started(), pair, folderOf(pair));
        expect(report.violations).to.deep.equal([]);
        expect(report.operations.filter(({ successes }) => successes === 0)).to.deep.equal([]);
        expect(report.isComplete).to.equal(true);
      });

      it('shows each conversion whose result is changed', async () => {
        const mutants = await mutantsOf(differs);
        expect(new Set(mutants.map(({ at }) => at)), 'every conversion runs').to.have.lengthOf(
          Object.keys(pair.conversions).length,
        );
        const survivors: Mutant[] = [];
        for (const mutant of mutants) {
          const isFound = await mutate(mutant, async () => (await differs()) || (await breaks()));
          if (!isFound) survivors.push(mutant);
        }
        expect(survivors).to.deep.equal([]);
      });

      it('verify alone finds a conversion that returns what it is given', async () => {
        const identities = (await mutantsOf(differs)).filter(({ value }) => value === undefined);
        const survivors: Mutant[] = [];
        for (const mutant of someOf(identities, 3)) {
          if (!(await mutate(mutant, () => breaks()))) survivors.push(mutant);
        }
        expect(survivors).to.deep.equal([]);
      });
    });
  }
});

/** The exchanges of a pair whose answers differ from the expected ones. */
async function differences(
  engine: HttpHandler,
  { exchanges, credentials = {} }: Pair,
): Promise<readonly unknown[]> {
  const [credential] = Object.values(credentials);
  const authorization = credential?.includes(':')
    ? `Basic ${btoa(credential)}`
    : `Bearer ${String(credential)}`;
  const found: unknown[] = [];
  for (const [send, body, status, answer] of exchanges) {
    const [method = '', url = ''] = send.split(' ');
    const [path = '', query = ''] = url.split('?');
    const given = {
      method,
      path,
      query,
      headers: { authorization, ...(body !== undefined && { 'content-type': 'application/json' }) },
    };
    const response = await engine(
      memoryRequest({ ...given, ...(body !== undefined && { body: JSON.stringify(body) }) }),
    );
    const written =
      typeof response.body === 'object'
        ? await text(response.body as AsyncIterable<Uint8Array>).catch(String)
        : (response.body ?? '');
    const got = [response.status, typeof answer === 'string' ? written : readJson(written)];
    try {
      expect(got).to.deep.equal([status, answer]);
    } catch {
      found.push([send, ...got]);
    }
  }
  return found;
}

function readJson(written: string): unknown {
  try {
    return JSON.parse(written);
  } catch {
    return written;
  }
}

async function verified(
  engine: HttpHandler,
  { credentials = {} }: Pair,
  folder: string,
  until?: () => boolean,
): Promise<VerifyReport> {
  const server = createServer(nodeTransport(engine));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port
  try {
    return await verifyContracts({
      url: `http://127.0.0.1:${String(port)}`,
      openapi: join(folder, 'old.yaml'),
      credentials,
      ...(until && { until }),
      ...{
        openapiPath: '/',
        graphqlPath: '/graphql',
        headers: {},
        seed: 1,
        requests: 2000,
        seconds: 600,
        warn: [],
        protect: [],
      },
    });
  } finally {
    server.close();
    server.closeAllConnections();
  }
}
