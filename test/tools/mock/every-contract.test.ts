/** The mock of every contract that the generator is tried on: no answer of it is against the contract. */

import { type Server, createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { type HttpHandler, type HttpResponse, memoryRequest } from '@concordat/runtime';
import { nodeTransport } from '@concordat/runtime/node';
import { type CheckedAnswer, answerProblems } from '@concordat/runtime/testing';
import { mockGraphql } from '@concordat/tools/mock';
import type { OperationModel } from '../../../src/codegen/contract/model/model.js';
import { handlerOf } from '../../../src/tools/mock/mock-handlers.js';
import { type RunningContract, runContract } from '../../../src/tools/running/running-contract.js';
import { wireRequest } from '../../../src/tools/running/wire-request.js';
import { plainParts } from '../../../src/tools/running/plain-parts.js';
import { verifyContracts } from '../../../src/tools/verify/verify-contracts.js';
import {
  contracts,
  fixtureContracts,
  mockedContracts,
  printSkipped,
  schemas,
  triesAll,
} from '../../codegen/contract-list.js';
import { listening } from './mock-server.js';
import { runs, someOf, triesMuch } from '../../support/budget.js';

const LIBRARY = 'test/tools/verify/graphql/library.graphql';
const LARGE = 'github-rest.openapi-3.0.json';
/** Enough for every request of a fixture. Of large contracts and schemas each operation gets some. */
const BUDGET = { requests: 1000, seconds: 600 };
const BUDGET_OF_LARGE = triesAll ? { requests: 5000, seconds: 60 } : { requests: 800, seconds: 600 };
const BUDGET_OF_SCHEMA = { ...BUDGET, requests: runs(1000) };
const isFixture = (name: string): boolean => fixtureContracts.some((each) => each.name === name);

/** The operations without a success, and why. */
const UNREACHED: Readonly<Record<string, readonly string[]>> = {
  // They want a client certificate, which no request in memory has.
  'certificates.openapi-3.1.yaml': ['byCertificate', 'byCertificateOrKey', 'byCertificateAndKey'],
  // verify does not write these: a form with nested fields, a whole query, and a path beyond ASCII.
  'awkward.openapi-3.1.yaml': ['search'],
  'latest.openapi-3.2.yaml': ['searchByForm'],
  'routing.openapi-3.0.yaml': ['getStrangeText'],
  // The plainest value is an empty object, which leaves no text in the path.
  'styles.openapi-3.1.yaml': ['dictionaries'],
  // Their success is a redirect.
  'openapi.yaml': ['startExternalSignIn', 'completeExternalSignIn'],
  [LARGE]: [
    'migrations/download-archive-for-org',
    'actions/download-artifact',
    'actions/download-job-logs-for-workflow-run',
    'actions/download-workflow-run-logs',
    'repos/download-tarball-archive',
    'repos/download-zipball-archive',
    'migrations/get-archive-for-authenticated-user',
  ],
};

/** Operations whose plainest request is none: its empty list leaves no text in the path. */
const UNMADE: Readonly<Record<string, readonly string[]>> = {
  'styles.openapi-3.1.yaml': ['simpleInPath', 'labelInPath', 'matrixInPath'],
  'test/runtime/differential/fixture.openapi.yaml': ['getLabels'],
};

const pathOf = (name: string): string => fileURLToPath(new URL(`../../../${name}`, import.meta.url));
const own = [
  'openapi.yaml',
  'test/fixtures/values/openapi.yaml',
  'test/fixtures/values/streams.yaml',
  'test/tools/verify/openapi/notebook.yaml',
  'test/runtime/differential/fixture.openapi.yaml',
].map((name) => ({ name, file: pathOf(name) }));

describe('the mock of', function () {
  this.timeout(triesAll ? 300_000 : 120_000);
  const servers: Server[] = [];
  after(() => {
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
  });

  printSkipped(LARGE);

  const listed = [...own, ...contracts, ...mockedContracts].filter((each) => triesAll || each.name !== LARGE);
  for (const { name, file } of someOf(listed, 5)) {
    it(name, async () => {
      const running = await runContract(file);
      const { operations, securitySchemes } = running.model;
      if (operations.length === 0) {
        expect(() => handlerOf(file, running)).to.throw('has no operation');
        return;
      }
      const mock = handlerOf(file, running);
      const problemsOf = answerProblems(running);
      const unmade = new Set<string>();
      for (const operation of operations) {
        for (const { status } of operation.responses) {
          const code = status.replace('XX', '50').replace('default', '299');
          const request = plainRequest(running, operation, { prefer: `code=${code}` });
          if (request === undefined || !('operation' in (await running.expectedOutcomeOf(request)))) {
            unmade.add(operation.id);
            continue;
          }
          const answer = await answerOf(mock, request);
          const shown = `${operation.id} ${code}: ${answer.text.slice(0, 500)}`;
          expect(problemsOf(request, answer), shown).to.deep.equal([]);
          expect(answer.status, shown).to.equal(Number(code));
        }
      }

      const known = [...(UNREACHED[name] ?? []), ...(UNMADE[name] ?? [])];
      expect([...unmade].filter((id) => !known.includes(id))).to.deep.equal([]);

      // A request for every answer was sent above.
      if (!isFixture(name) && !triesMuch) return;
      const server = createServer(nodeTransport(mock));
      servers.push(server);
      const report = await verifyContracts({
        openapiPath: '/',
        graphqlPath: '/graphql',
        headers: {},
        ...(isFixture(name) ? BUDGET : BUDGET_OF_LARGE),
        url: await listening(server),
        openapi: file,
        credentials: Object.fromEntries(Object.keys(securitySchemes).map((each) => [each, 'ada:secret'])),
        seed: 1,
        warn: [],
        protect: [],
      });
      // No credential satisfies a contract whose every operation needs a certificate.
      const isNever = operations.every(({ id }) => UNREACHED[name]?.includes(id) === true);
      const rules = report.violations.map(({ rule }) => rule);
      expect(rules, JSON.stringify(report.violations)).to.deep.equal(isNever ? ['no-success'] : []);
      expect(report.unverified).to.deep.equal([]);
      if (isFixture(name)) expect(report.isComplete).to.equal(true);
      const unreached = report.operations.filter(({ successes }) => successes === 0).map(({ id }) => id);
      expect(unreached.filter((id) => UNREACHED[name]?.includes(id) !== true)).to.deep.equal([]);
    });
  }

  for (const { name, file } of [...schemas, { name: LIBRARY, file: pathOf(LIBRARY) }]) {
    it(name, async () => {
      const query = new URLSearchParams({
        query: '{ __schema { queryType { name } } __typename }',
      }).toString();
      const answer = await (await mockGraphql(file))(memoryRequest({ path: '/graphql', query }));
      expect(answer.status).to.equal(200);

      const server = createServer(nodeTransport(await mockGraphql(file)));
      servers.push(server);
      const { violations } = await verifyContracts({
        credentials: {},
        ...BUDGET_OF_SCHEMA,
        url: await listening(server),
        schema: file,
        openapiPath: '/',
        graphqlPath: '/graphql',
        headers: {},
        seed: 1,
        warn: [],
        protect: [],
      });
      expect(violations).to.deep.equal([]);
    });
  }
});

type WireRequest = NonNullable<ReturnType<typeof wireRequest>>;

/** A request that the contract takes, as far as one can be made. */
function plainRequest(
  { model }: RunningContract,
  operation: OperationModel,
  headers: Readonly<Record<string, string>>,
): WireRequest | undefined {
  const parts = plainParts(operation, false);
  if (parts === undefined) return undefined;
  const wire = wireRequest(parts, model.securitySchemes);
  return wire && { ...wire, headers: { ...wire.headers, ...headers } };
}

async function answerOf(mock: HttpHandler, request: WireRequest): Promise<CheckedAnswer> {
  const { status, headers, body = '' }: HttpResponse = await mock(memoryRequest(request));
  const chunks: Uint8Array[] = [];
  if (typeof body === 'string' || body instanceof Uint8Array) chunks.push(Buffer.from(body));
  else for await (const chunk of body) chunks.push(chunk);
  const lower = Object.entries(headers).map(([header, value]) => [header.toLowerCase(), value] as const);
  return { status, headers: Object.fromEntries(lower), text: Buffer.concat(chunks).toString() };
}
