/** What the README tells a team to do with a contract of its own, done. */

import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createClient } from 'graphql-ws';
import semver from 'semver';
import { WebSocket } from 'ws';
import { Consumer, GENERATOR, KOA } from './consumer.js';
import { installed } from './installed-packages.js';
import { manifest } from './manifest.js';
import { packedFiles } from './packed-files.js';
import { block, blockAt } from './readme-blocks.js';
import { serving } from './serving.js';

const TYPES = ['@types/koa', '@types/node'];
/** What the README names for a GraphQL schema. */
const GRAPHQL = [
  '@graphql-codegen/typescript',
  '@graphql-codegen/typescript-resolvers',
  '@graphql-tools/schema',
  'graphql-ws',
  'ws',
];

describe('README: a contract of your own', function () {
  this.timeout(60_000);

  it('is served with the packages that the README installs, and no others', () => {
    const [first, second] = installed(block('install the engine'));
    expect(first?.names).to.have.members(['concordat', ...KOA]);
    expect(second?.names).to.have.members([...GENERATOR, ...TYPES]);
    for (const [name, wanted] of second?.versions ?? []) {
      const version = manifest.devDependencies[name] ?? expect.fail(name);
      expect(semver.satisfies(version, wanted), `${name}@${wanted}`).to.equal(true);
    }
  });

  it('may need the override that this package itself has', () => {
    const { overrides } = JSON.parse(block('overrides')) as Pick<typeof manifest, 'overrides'>;
    expect(manifest.overrides).to.include(overrides);
  });

  it('becomes a server that runs', async () => {
    const packed = packedFiles();
    const team = new Consumer(packed, [...GENERATOR, ...KOA, ...TYPES]);
    const deployed = new Consumer(packed, KOA);
    try {
      team.write('openapi.yaml', block('openapi.yaml'));
      team.write('codegen.ts', block('codegen.ts'));
      team.write('server.ts', block('server.ts'));
      const generator = 'node_modules/@graphql-codegen/cli/esm/bin.js';
      const { status, stderr } = team.node(generator, '--config', 'codegen.ts');
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
    const team = new Consumer(packedFiles(), [...GENERATOR, ...GRAPHQL, ...KOA, ...TYPES]);
    try {
      team.write('schema.graphql', block('schema.graphql'));
      const config = block('codegen.ts').replace("openapi: 'openapi.yaml'", "schema: 'schema.graphql'");
      team.write('codegen.ts', config);
      team.write('graphql-server.ts', block('graphql-server.ts'));
      const { status, stderr } = team.node(
        'node_modules/@graphql-codegen/cli/esm/bin.js',
        '--config',
        'codegen.ts',
      );
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
