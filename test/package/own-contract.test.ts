/** What the README tells a team to do with a contract of its own, done. */

import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { Consumer } from './consumer.js';
import { installed } from './installed-packages.js';
import { block, blockAt } from './readme-blocks.js';
import { serving } from './serving.js';

/** What a server of the contract runs with, and what it is made with. */
const RUNTIME = ['concordat', 'koa', '@koa/router'];
const TOOLS = ['@concordat/codegen', 'typescript', '@types/node', '@types/koa'];
/** What the README names for a GraphQL schema. */
const GRAPHQL = ['graphql', '@graphql-tools/schema', 'graphql-ws', 'ws'];

describe('README: a contract of your own', function () {
  this.timeout(60_000);

  it('is served with the packages that the README installs, and no others', () => {
    const [first, second] = installed(block('install the engine'));
    expect(first?.names).to.have.members(RUNTIME);
    expect(second?.names).to.have.members(TOOLS);
  });

  it('becomes a server that runs', async () => {
    const team = new Consumer([...RUNTIME, ...TOOLS]);
    const deployed = new Consumer(RUNTIME);
    try {
      team.write('openapi.yaml', block('openapi.yaml'));
      team.write('codegen.ts', block('codegen.ts'));
      team.write('server.ts', block('server.ts'));
      const { status, stderr } = team.node('node_modules/.bin/concordat', 'generate');
      expect(status, stderr).to.equal(0);
      expect(team.typeProblems('server.ts')).to.deep.equal([]);

      team.compile('server.ts', 'dist');
      cpSync(join(team.directory, 'dist'), join(deployed.directory, 'dist'), { recursive: true });
      const validators = 'generated/validators.js';
      cpSync(join(team.directory, validators), join(deployed.directory, 'dist', validators));
      await serving(deployed, 'dist/server.js', async (port) => {
        const requests = blockAt('greetings', port).trimEnd().split('\n');
        const [greeting, refusal] = requests.map((line) =>
          spawnSync('sh', ['-c', line], { encoding: 'utf8' }),
        );
        expect(greeting?.stdout).to.equal('{"text":"Hello, Ada"}');
        expect(refusal?.stdout).to.include('path/name must NOT have more than 5 characters');
        const { status } = await fetch(`http://127.0.0.1:${String(port)}/greetings/Everybody`);
        expect(status).to.equal(400);
      });
    } finally {
      team.remove();
      deployed.remove();
    }
  });

  it('is a GraphQL schema too, with subscriptions', async () => {
    const team = new Consumer([...RUNTIME, ...TOOLS, ...GRAPHQL]);
    try {
      team.write('schema.graphql', block('schema.graphql'));
      const config = block('codegen.ts').replace("openapi: 'openapi.yaml'", "schema: 'schema.graphql'");
      team.write('codegen.ts', config);
      team.write('graphql-server.ts', block('graphql-server.ts'));
      const { status, stderr } = team.node('node_modules/.bin/concordat', 'generate');
      expect(status, stderr).to.equal(0);
      expect(team.typeProblems('graphql-server.ts')).to.deep.equal([]);

      team.compile('graphql-server.ts', '.');
      await serving(team, 'graphql-server.js', async (port) => {
        const requests = blockAt('countdown', port).trimEnd().split('\n');
        const [greeting, countdown] = requests.map(
          (line) => spawnSync('sh', ['-c', line], { encoding: 'utf8' }).stdout,
        );
        expect(greeting).to.equal('{"data":{"greeting":"Hello, Ada"}}');
        const counts = [...(countdown ?? '').matchAll(/^data: (.+)$/gm)].map(([, data]) => data);
        expect(counts).to.deep.equal(['{"data":{"countdown":2}}', '{"data":{"countdown":1}}']);
        const socket = createClient({
          url: `ws://127.0.0.1:${String(port)}/graphql`,
          webSocketImpl: WebSocket,
        });
        const query = 'subscription { countdown(from: 1) }';
        const results: unknown[] = [];
        for await (const result of socket.iterate({ query })) results.push(result);
        expect(results).to.deep.equal([{ data: { countdown: 1 } }]);
        await socket.dispose();
      });
    } finally {
      team.remove();
    }
  });
});
