/** The servers that `concordat init` writes, one per host: each starts, and answers with REST and GraphQL. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { type Client as SseClient, createClient as createSseClient } from 'graphql-sse';
import { type Client, createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import {
  type Host,
  type Served,
  HOSTS,
  packagesOf,
  serverTemplate,
} from '../../../src/codegen/init/manifest.js';
import { filled } from '../../../src/codegen/init/project.js';
import type { VerifyReport } from '../../../src/tools/verify/run/verify-report.js';
import { freePort } from '../../support/free-port.js';
import { patientNow } from '../../support/durations.js';
import { until } from '../../support/until.js';
import { complaints } from '../strict-compiler.js';
import { type NewProject, useProjects } from './new-project.js';

const TSX = fileURLToPath(import.meta.resolve('tsx'));

/** Its adapter for Node is no package of this repository, so it is tried with the packed packages. */
const ELSEWHERE = ['hono'];

const BOTH: Served = { rest: true, graphql: true, subscriptions: false };
const ALL: Served = { ...BOTH, subscriptions: true };

const SCHEMA = `type Query { now: Int! }
type Subscription { count(to: Int!): Int! }
`;

/** A resolver in place of one that is not implemented. */
const COUNT = `import type { SchemaResolvers } from '../context.js';

export const subscriptionCount: SchemaResolvers['Subscription']['count'] = {
  async *subscribe(_, { to }) {
    for (let count = 1; count <= to; count += 1) yield await Promise.resolve({ count });
  },
};
`;

const exampleOf = (file: string) => filled({ file });

const serverFile = (host: Host, served: Served, prefix = '') => filled(serverTemplate(host, served, prefix));

describe('concordat init: a server', () => {
  const newProject = useProjects();
  const tried = HOSTS.filter((host) => !ELSEWHERE.includes(host));
  let project: NewProject;

  before(async () => {
    project = await newProject();
    await project.write('openapi.yaml', exampleOf('openapi.yaml'));
    await project.write('schema.graphql', SCHEMA);
    await project.init('--host', 'fastify');
    await project.write('src/graphql/resolvers/subscription-count.ts', COUNT);
  });

  it('is that of the host, with its packages', async () => {
    expect(await project.read('src/server.ts')).to.equal(serverFile('fastify', ALL));
    const { dependencies } = JSON.parse(await project.read('package.json')) as { dependencies: object };
    expect(dependencies).to.include.all.keys('graphql-ws', 'ws');
    expect(dependencies).to.include.all.keys(packagesOf('fastify', ALL).dependencies);
  });

  it('compiles, with one contract or with both', async () => {
    const all = [ALL, BOTH, { ...BOTH, graphql: false }, { ...BOTH, rest: false }, { ...ALL, rest: false }];
    const texts = tried.flatMap((host) =>
      all.flatMap((served) => [serverFile(host, served), serverFile(host, served, '/v1')]),
    );
    const files = texts.map((_, index) => `src/server-${String(index)}.ts`);
    await Promise.all(texts.map((text, index) => project.write(files[index] ?? '', text)));
    expect(complaints(project.directory, files)).to.deep.equal([]);
  });

  for (const host of tried) {
    it(`on ${host} answers`, async () => {
      await project.write('src/server.ts', serverFile(host, ALL));
      await serving(project, async (url) => {
        const rest = await fetch(`${url}/greetings/Ada`);
        expect([rest.status, await rest.json()]).to.deep.equal([
          501,
          {
            type: 'about:blank',
            title: 'Not Implemented',
            status: 501,
            detail: 'getGreeting is not implemented',
          },
        ]);
        const graphql = await fetch(`${url}/graphql`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ query: '{ __typename }' }),
        });
        expect(await graphql.json()).to.deep.equal({ data: { __typename: 'Query' } });
        expect((await fetch(`${url}/nowhere`)).status).to.equal(404);
        const query = 'subscription { count(to: 2) }';
        const events = [{ data: { count: 1 } }, { data: { count: 2 } }];
        expect(await eventsOver(createSseClient({ url: `${url}/graphql` }), query)).to.deep.equal(events);
        const sockets = createClient({
          url: `${url.replace('http', 'ws')}/graphql`,
          webSocketImpl: WebSocket,
        });
        expect(await eventsOver(sockets, query)).to.deep.equal(events);
        await sockets.dispose();
      });
    });
  }

  for (const host of tried) {
    it(`on ${host} answers at the path of the contract's servers, and completes its answers on SIGTERM`, async () => {
      await project.write('src/server.ts', serverFile(host, ALL, '/v1'));
      await project.write('src/rest/operations/get-greeting.ts', SLOW);
      await serving(project, async (url, server) => {
        expect((await fetch(`${url}/greetings/Ada`)).status).to.equal(404);
        const exit = once(server, 'exit');
        const sockets = createClient({
          url: `${url.replace('http', 'ws')}/graphql`,
          webSocketImpl: WebSocket,
          lazy: false,
          retryAttempts: 0,
          onNonLazyError: () => undefined,
        });
        await new Promise((resolve) => sockets.on('connected', resolve));
        // The connection stays open after the answer, as those of browsers and of proxies do.
        const agent = new Agent({ keepAlive: true });
        const answer = get(`${url}/v1/greetings/Ada`, agent);
        await until('the handler runs', () => outputOf(server).includes('greeting Ada'));
        server.kill('SIGTERM');
        await until(
          'it accepts no connections',
          async () => (await fetch(url).catch(() => 'refused')) === 'refused',
        );
        expect(await answer).to.deep.equal([200, '{"text":"Hello, Ada"}']);
        const since = patientNow();
        expect(await exit).to.deep.equal([0, null]);
        expect(patientNow() - since, 'milliseconds from the answer to the end').to.be.below(2_000);
        agent.destroy();
        await sockets.dispose();
      });
    });
  }

  it('is verified with both contracts in one run, at the path that init gives it', async () => {
    const served = `servers: [{ url: 'https://shop.example/v1' }]\n`;
    await project.write('openapi.yaml', exampleOf('openapi.yaml') + served);
    await project.write('src/server.ts', serverFile('fastify', ALL, '/v1'));
    await project.write('src/rest/operations/get-greeting.ts', QUICK);
    await project.write('src/graphql/resolvers/query-now.ts', NOW);
    await project.concordat('generate');
    await serving(project, async (url) => {
      const bounds = ['--seed', '1', '--seconds', '600'];
      const { exitCode, stdout } = await project.concordat('verify', url, ...bounds, '--json');
      const { violations, operations } = JSON.parse(stdout) as VerifyReport;
      expect(violations).to.deep.equal([]);
      expect(operations.map(({ id, successes }) => [id, successes > 0])).to.deep.equal([
        ['getGreeting', true],
        ['Query.now', true],
        ['Subscription.count', true],
      ]);
      expect(exitCode).to.equal(0);
    });
  });
});

const QUICK = `import type { Handlers } from '../handlers.js';

export const getGreeting: Handlers['getGreeting'] = ({ path }) => ({
  status: 200,
  body: { text: \`Hello, \${path.name}\` },
});
`;

const NOW = `import type { SchemaResolvers } from '../context.js';

export const queryNow: SchemaResolvers['Query']['now'] = () => 1;
`;

/** A handler that takes a second. */
const SLOW = `import { setTimeout } from 'node:timers/promises';
import type { Handlers } from '../handlers.js';

export const getGreeting: Handlers['getGreeting'] = async ({ path }) => {
  console.log('greeting', path.name);
  await setTimeout(1000);
  return { status: 200, body: { text: \`Hello, \${path.name}\` } };
};
`;

/** The status and the text of an answer. */
async function get(url: string, agent: Agent): Promise<readonly [status: number | undefined, text: string]> {
  const [response] = (await once(request(url, { agent }).end(), 'response')) as [IncomingMessage];
  return [response.statusCode, await text(response)];
}

/** The events of a subscription, until its end. */
async function eventsOver(
  { iterate }: Pick<Client, 'iterate'> | Pick<SseClient, 'iterate'>,
  query: string,
): Promise<readonly unknown[]> {
  const events: unknown[] = [];
  for await (const event of iterate({ query })) events.push(event);
  return events;
}

const outputs = new WeakMap<ChildProcess, string>();

const outputOf = (server: ChildProcess) => outputs.get(server) ?? '';

/** Runs the server of a project, and ends it after the test. */
async function serving(
  { directory }: NewProject,
  test: (url: string, server: ChildProcess) => Promise<void>,
): Promise<void> {
  const port = String(await freePort());
  const parameters = ['--conditions=@concordat/source', '--import', TSX, join('src', 'server.ts')];
  const server = spawn(process.execPath, parameters, {
    cwd: directory,
    env: { ...process.env, PORT: port },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [server.stdout, server.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => outputs.set(server, outputOf(server) + chunk));
  }
  const exit = once(server, 'exit');
  try {
    await until(
      'it listens or ends',
      () => outputOf(server).includes('Listening') || server.exitCode !== null,
    );
    expect(outputOf(server)).to.equal(`Listening on http://127.0.0.1:${port}\n`);
    await test(`http://127.0.0.1:${port}`, server);
  } finally {
    server.kill();
    await exit;
  }
}
