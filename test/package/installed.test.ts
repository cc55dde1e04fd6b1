/** The programs in projects that have installed the one package that the README names for each, and no more. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'chai';
import { until } from '../support/until.js';
import { type Consumer, useConsumers } from './consumer.js';
import { installed } from './installed-packages.js';
import { block } from './readme-blocks.js';
import { readmes } from './readmes.js';

describe('README: the programs in a project', function () {
  this.timeout(60_000);
  const consumerWith = useConsumers();
  const [service] = installed(block('install the service'));
  const started: ChildProcess[] = [];
  let serving: Consumer;
  let generating: Consumer;

  before(() => {
    serving = consumerWith(service?.names ?? []);
    generating = consumerWith(['@concordat/codegen']);
    generating.write('openapi.yaml', block('openapi.yaml'));
  });
  afterEach(async () => {
    for (const child of started.splice(0)) {
      const exit = child.exitCode === null ? once(child, 'exit') : undefined;
      child.kill();
      await exit;
    }
  });

  /** What npx runs, offline: a program that is not there would otherwise be looked for elsewhere. */
  function npx({ directory }: Consumer, command: string) {
    const parameters = ['--offline', ...command.split(' ')];
    const { status, stdout, stderr } = spawnSync('npx', parameters, { cwd: directory, encoding: 'utf8' });
    return { status, stdout, text: stdout + stderr };
  }

  /** Starts a program, and waits until it listens. @returns its address */
  async function urlOf({ directory }: Consumer, program: string, ...parameters: readonly string[]) {
    const path = join(directory, 'node_modules/.bin', program);
    const child = spawn(process.execPath, [path, ...parameters], {
      cwd: directory,
      env: { ...process.env, HOST: '', PORT: '0', LOG_LEVEL: 'warn' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    started.push(child);
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    }
    await until('it listens or ends', () => /http:\S+\n/.test(text) || child.exitCode !== null);
    return /http:\S+/.exec(text)?.[0] ?? expect.fail(text);
  }

  /** The commands that the help of a program lists. */
  function commandsOf(project: Consumer, program: string): readonly string[] {
    const { status, stdout, text } = npx(project, `${program} --help`);
    expect(status, text).to.equal(0);
    const [, list = ''] = /Commands:\n([^]*?)\n\n/.exec(stdout) ?? [];
    return [...list.matchAll(/^ {2}(\w+)/gm)].map(([, name = '']) => name).filter((name) => name !== 'help');
  }

  it('tell their commands, all of which are in a README', () => {
    expect(block('install the service')).to.match(/\nnpx concordat-service\n$/);
    const commands = [...commandsOf(serving, 'concordat-service'), ...commandsOf(generating, 'concordat')];
    const cells = [...readmes.values()]
      .flatMap((text) =>
        [...text.matchAll(/^\| Command +\| Does .*\n.*\n([^]*?)\n\n/gm)].map(([, table = '']) => table),
      )
      .flatMap((table) => table.split('\n'))
      .flatMap((row) =>
        [...(row.split(' | ')[0] ?? '').matchAll(/`(\w+)[` ]/g)].map(([, name = '']) => name),
      );
    expect(cells).to.include.members(commands);
  });

  it('serve, with all pages', async () => {
    const url = await urlOf(serving, 'concordat-service');
    for (const path of ['/', '/docs', '/graphql', '/openapi.json', '/api/users', '/metrics']) {
      const { status } = await fetch(url + path, { headers: { accept: 'text/html,*/*;q=0.8' } });
      expect(status, path).to.equal(200);
    }
  });

  it('serve the examples of a contract', async () => {
    const url = await urlOf(generating, 'concordat', 'mock', '--port', '0');
    const greeting = await fetch(`${url}/greetings/Ada`);
    expect([greeting.status, await greeting.json()]).to.deep.equal([200, { text: 'string' }]);
  });

  it('generate and check', () => {
    const options = '--openapi openapi.yaml --out generated';
    const written = npx(generating, `concordat generate ${options}`);
    expect(written.status, written.text).to.equal(0);
    expect(written.stdout).to.include('wrote generated/operations.ts');
    const checked = npx(generating, `concordat check ${options}`);
    expect(checked.status, checked.text).to.equal(0);
    generating.write('openapi.yaml', block('openapi.yaml').replace('maxLength: 5', 'maxLength: 6'));
    expect(npx(generating, `concordat check ${options}`).status).to.equal(1);
  });
});
