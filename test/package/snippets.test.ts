/** The README's files for teams that import the core: a Koa application, a transport, and the checks of a store. */

import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { storageChecks } from '../../src/core/conformance/storage/storage.js';
import { type Consumer, useConsumers } from './consumer.js';
import { type BlockName, block } from './readme-blocks.js';
import { serving } from './serving.js';

describe('README: the core in a project', function () {
  this.timeout(60_000);
  const consumerWith = useConsumers();

  /** A project that has the file, compiled. */
  function projectWith(name: BlockName, text: string, packages: readonly string[]): Consumer {
    const consumer = consumerWith(['@concordat/core', 'graphql', ...packages, '@types/koa', '@types/node']);
    consumer.write(name, text);
    expect(consumer.typeProblems(name)).to.deep.equal([]);
    consumer.compile(name, '.');
    return consumer;
  }

  it('goes into a Koa application, in ten lines', async () => {
    const text = block('app.ts');
    expect(text.trimEnd().split('\n').filter(Boolean)).to.have.length.at.most(10);
    const team = projectWith('app.ts', text, ['koa', '@koa/router']);
    await serving(team, 'app.js', async (port) => {
      const users = await fetch(`http://127.0.0.1:${String(port)}/api/users`);
      expect([users.status, await users.json()]).to.deep.equal([200, { data: [], total: 0 }]);
    });
  });

  it('goes behind a transport that is a few lines', () => {
    const { directory } = projectWith('lines.ts', block('lines.ts'), []);
    const run = spawnSync('sh', ['-c', block('run lines')], { cwd: directory, encoding: 'utf8' });
    expect(run.stderr).to.equal('');
    expect(run.stdout)
      .to.match(/^\{\n {2}status: 200,/)
      .and.include('"data":[],"pagination":{"page":1,');
  });

  it('checks a store with the test runner of Node', () => {
    const team = projectWith('store.test.ts', block('store.test.ts'), []);
    const { stdout, status } = team.node('--test', '--test-reporter=tap', 'store.test.js');
    expect(status, stdout).to.equal(0);
    expect(stdout).to.include(`# pass ${String(storageChecks.length)}\n`);
  });

  it('finds with these checks a store that breaks a rule', () => {
    const broken = block('store.test.ts').replace(
      'Promise.resolve(memoryStorage())',
      'Promise.resolve(memoryStorage()).then((store) => (store.users.count = () => Promise.resolve(7), store))',
    );
    const { status, stdout } = projectWith('store.test.ts', broken, []).node('--test', 'store.test.js');
    expect(status, stdout).to.equal(1);
  });
});
