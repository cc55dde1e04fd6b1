/** The runtime's README on streams and transports: its files, run in a project. */

import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { transportChecks } from '@concordat/runtime/conformance';
import { until } from '../support/until.js';
import { useConsumers } from './consumer.js';
import { block } from './readme-blocks.js';
import { serving } from './serving.js';

describe('README: a transport of your own', () => {
  const consumerWith = useConsumers();

  it('streams a response, and stops when its client disconnects', async () => {
    const team = consumerWith(['@concordat/runtime', '@types/node']);
    team.write('ticks.ts', block('ticks.ts'));
    expect(team.typeProblems('ticks.ts')).to.deep.equal([]);
    team.compile('ticks.ts', '.');
    await serving(team, 'ticks.js', async (port, output) => {
      // The client that waited for the server to listen.
      await until('the first client has gone', () => output() !== '');
      const client = new AbortController();
      const { body } = await fetch(`http://127.0.0.1:${String(port)}/`, { signal: client.signal });
      const pieces = body?.getReader();
      for (let count = 0; count < 2; count += 1) {
        expect(Buffer.from((await pieces?.read())?.value ?? []).toString()).to.match(/^[\dT:.-]+Z\n$/);
      }
      client.abort();
      await until('it stops', () => output() === 'the client has disconnected\n'.repeat(2));
    });
  });

  it('is a few lines', () => {
    const team = consumerWith(['@concordat/runtime', 'concordat', '@types/node']);
    for (const name of ['openapi.yaml', 'engine.ts', 'lines.ts'] as const) team.write(name, block(name));
    const generated = team.node('node_modules/.bin/concordat', 'generate', '--openapi', 'openapi.yaml');
    expect(generated.status, generated.stderr).to.equal(0);
    expect(team.typeProblems('lines.ts')).to.deep.equal([]);
    team.compile('lines.ts', '.');
    const run = spawnSync('sh', ['-c', block('run lines')], { cwd: team.directory, encoding: 'utf8' });
    expect(run.stderr).to.equal('');
    expect(run.stdout).to.equal('200 {"text":"Hello, Ada"}\n');
  });

  it('is checked with the test runner of Node', () => {
    const team = consumerWith(['@concordat/runtime', '@types/node']);
    team.write('transport.test.ts', block('transport.test.ts'));
    expect(team.typeProblems('transport.test.ts')).to.deep.equal([]);
    team.compile('transport.test.ts', '.');
    const { stdout, status } = team.node('--test', '--test-reporter=tap', 'transport.test.js');
    expect(status, stdout).to.equal(0);
    expect(stdout).to.include(`# pass ${String(transportChecks.length)}\n`);
  });

  it('does not pass the checks without the bodies of its responses', () => {
    const team = consumerWith(['@concordat/runtime', '@types/node']);
    const broken = block('transport.test.ts').replace(
      'nodeTransport(handler)',
      'nodeTransport(async (request) => ({ ...(await handler(request)), body: "" }))',
    );
    team.write('transport.test.ts', broken);
    team.compile('transport.test.ts', '.');
    expect(team.node('--test', 'transport.test.js').status).to.equal(1);
  });
});
