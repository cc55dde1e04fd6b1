/** The programs, each in a project that has installed the one package that its README names. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { until } from '../support/until.js';
import { type Consumer, useConsumers } from './consumer.js';
import { installed, programCommands } from './installed-packages.js';
import { block } from './readme-blocks.js';
import { pages } from './pages.js';

describe('README: the programs in a project', () => {
  const consumerWith = useConsumers();
  const [service] = installed(block('install the service'));
  const [alone] = installed(block('install the generator'));
  const [generator] = installed(block('install the contract tools'));
  const started: ChildProcess[] = [];
  let serving: Consumer;
  let generating: Consumer;

  before(() => {
    serving = consumerWith(service?.names ?? []);
    generating = consumerWith(generator?.names ?? []);
    generating.write('openapi.yaml', block('openapi.yaml'));
    generating.write('schema.graphql', block('schema.graphql'));
  });
  afterEach(async () => {
    for (const child of started.splice(0)) {
      const exit = child.exitCode === null ? once(child, 'exit') : undefined;
      child.kill();
      await exit;
    }
  });

  /** Runs a command with npx, offline: otherwise it would look for a missing program in the registry. */
  function npx({ directory }: Consumer, command: string) {
    const parameters = ['--offline', ...command.split(' ')];
    const { status, stdout, stderr } = spawnSync('npx', parameters, { cwd: directory, encoding: 'utf8' });
    return { status, stdout, text: stdout + stderr };
  }

  /** Starts a program, which ends with its test. */
  function start({ directory }: Consumer, [program = '', ...parameters]: readonly string[]) {
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
    return { child, output: () => text };
  }

  /** The service writes its address into a line of its log, the other programs at the end of a sentence. */
  const ADDRESS = /(http:[^\s"]+)["\n]/;

  /** Starts a program, and waits until it listens. @returns its address */
  async function urlOf(project: Consumer, words: readonly string[]): Promise<string> {
    const { child, output } = start(project, words);
    await until('it listens or ends', () => ADDRESS.test(output()) || child.exitCode !== null);
    return ADDRESS.exec(output())?.[1] ?? expect.fail(output());
  }

  /** The commands that the help of a program lists. */
  function commandsOf(project: Consumer, program: string): readonly string[] {
    const { status, stdout, text } = npx(project, `${program} --help`);
    expect(status, text).to.equal(0);
    const [, list = ''] = /Commands:\n([^]*?)\n\n/.exec(stdout) ?? [];
    return [...list.matchAll(/^ {2}(\w+)/gm)].map(([, name = '']) => name).filter((name) => name !== 'help');
  }

  it('list their commands, all of which are in a README', () => {
    expect(block('install the service')).to.match(/\nnpx concordat-service\n$/);
    const commands = [...commandsOf(serving, 'concordat-service'), ...commandsOf(generating, 'concordat')];
    const listed = [...pages.values()]
      .map((text) => /^## Commands\n([^]*?)\n## /m.exec(text)?.[1] ?? '')
      .flatMap((list) => [...list.matchAll(/^- .*?(?=:| (?:[a-z]+s) )/gm)])
      .flatMap(([names]) => [...names.matchAll(/`(\w+)[` ]/g)].map(([, name = '']) => name));
    expect(listed).to.include.members(commands);
  });

  it('say which package the commands of the tools need', () => {
    const project = consumerWith(alone?.names ?? []);
    const { status, text } = npx(project, 'concordat mock');
    expect(status).to.equal(2);
    expect(text).to.include(
      'concordat mock needs the package @concordat/tools: npm install --save-dev @concordat/tools',
    );
    expect(npx(project, 'concordat help').text).to.match(/diff +needs the package @concordat\/tools/);
  });

  it('print and serve the guides that are installed', async () => {
    const listed = npx(generating, 'concordat docs');
    expect(listed.status, listed.text).to.equal(0);
    const owners = listed.stdout.split('\n').filter((line) => /^\S/.test(line));
    expect(owners).to.deep.equal(['@concordat/runtime', 'concordat', '@concordat/tools']);
    expect(npx(generating, 'concordat docs start').stdout).to.equal(pages.get('src/runtime/guides/start.md'));
    const url = await urlOf(generating, ['concordat', 'docs', '--serve', '--port', '0']);
    const page = await (await fetch(`${url}/@concordat/runtime/start.md`)).text();
    expect(page).to.include('<h1 id="start-a-project">Start a project</h1>');
  });

  it('serve, with all pages', async () => {
    const url = await urlOf(serving, ['concordat-service']);
    const files = new Set<string>();
    for (const path of ['/', '/docs', '/graphql', '/openapi.json', '/api/users', '/metrics']) {
      const answer = await fetch(url + path, { headers: { accept: 'text/html,*/*;q=0.8' } });
      expect(answer.status, path).to.equal(200);
      for (const [asset] of (await answer.text()).matchAll(/(?<==")assets\/[^"]+/g)) files.add(asset);
    }
    // The scripts and styles of other packages are not installed: they are in this one.
    expect([...files].map((file) => basename(file))).to.include.members([
      'api-reference.js',
      'graphiql.css',
      'graphiql.js',
      'graphql-ws.js',
      'react-dom.js',
      'react.js',
    ]);
    for (const file of files) {
      const { status, headers } = await fetch(`${url}/${file}`);
      expect([status, headers.get('cache-control')], file).to.deep.equal([
        200,
        'public, max-age=31536000, immutable',
      ]);
    }
    for (const name of ['react', 'graphiql', '@scalar']) {
      expect(
        existsSync(join(serving.directory, 'node_modules/@concordat/service/node_modules', name)),
      ).to.equal(false);
      expect(existsSync(join(serving.directory, 'node_modules', name))).to.equal(false);
    }
  });

  it('are in an application of your own too', () => {
    const team = consumerWith(['@concordat/service', '@concordat/core', '@types/node']);
    team.write('embed.ts', block('embed.ts'));
    expect(team.typeProblems('embed.ts')).to.deep.equal([]);
    team.compile('embed.ts', '.');
    const { status, stdout, stderr } = team.node('embed.js');
    expect(status, stderr).to.equal(0);
    // Among the lines of the log.
    expect(stdout.split('\n')).to.include('401');
  });

  it('run the middleware of an application before theirs', () => {
    const team = consumerWith(['@concordat/service', '@concordat/core', '@types/node', '@types/koa']);
    team.write('mount.ts', block('mount.ts'));
    expect(team.typeProblems('mount.ts')).to.deep.equal([]);
    team.compile('mount.ts', '.');
    const { status, stdout, stderr } = team.node('mount.js');
    expect(status, stderr).to.equal(0);
    expect(stdout).to.match(/^\{"products":\d+\}$/m);
  });

  it('generate and check', () => {
    for (const words of programCommands(block('generator commands'))) {
      const { status, text } = npx(generating, words.join(' '));
      expect(status, text).to.equal(0);
    }
    const options = '--openapi openapi.yaml --schema schema.graphql --out generated';
    generating.write('openapi.yaml', block('openapi.yaml').replace('maxLength: 5', 'maxLength: 6'));
    expect(npx(generating, `concordat check ${options}`).status).to.equal(1);
  });

  it('compare a contract with its version on main', () => {
    const git = (...words: readonly string[]) => {
      const { status, stderr } = spawnSync('git', words, { cwd: generating.directory, encoding: 'utf8' });
      expect(status, stderr).to.equal(0);
    };
    generating.write('openapi.yaml', block('openapi.yaml'));
    git('init', '--quiet', '--initial-branch', 'main');
    git('add', 'openapi.yaml', 'schema.graphql');
    const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
    git(...author, 'commit', '--quiet', '--message', 'Write the contracts');
    const changed = block('openapi.yaml').replace('maxLength: 5', 'maxLength: 4');
    generating.write('openapi.yaml', changed.replace("version: '1'", "version: '1.1'"));
    const [one, both] = [...programCommands(block('diff')), ...programCommands(block('diff of both'))].map(
      (words) => npx(generating, words.join(' ')),
    );
    expect(one?.stdout).to.equal(block('diff report'));
    expect([one?.status, both?.status]).to.deep.equal([1, 1]);
    expect(both?.stdout).to.match(/^## main:schema\.graphql → schema\.graphql\n\nNo change that matters\.$/m);

    const accept = block('accept a break').replace('npx', 'npx --offline');
    const accepted = spawnSync('sh', ['-c', accept], { cwd: generating.directory, encoding: 'utf8' });
    expect(accepted.stdout, accepted.stderr).to.equal(block('accepted break'));
    const [again] = programCommands(block('diff')).map((words) => npx(generating, words.join(' ')));
    expect(again?.status, again?.text).to.equal(0);
  });

  it('generate after every change, and serve the examples of a contract', async () => {
    const [watch, mock] = programCommands(block('lasting commands'));
    const watching = start(generating, watch ?? []);
    await until('it watches', () => watching.output().includes('Watching for changes'));
    generating.write('openapi.yaml', block('openapi.yaml').replace('maxLength: 5', 'maxLength: 7'));
    const written = () => watching.output().split('Watching for changes')[1] ?? '';
    await until('it has written again', () => written().includes('wrote generated/'));

    const url = await urlOf(
      generating,
      (mock ?? []).map((word) => (word === '4010' ? '0' : word)),
    );
    const greeting = await fetch(`${url}/greetings/Ada`);
    expect([greeting.status, await greeting.json()]).to.deep.equal([200, { text: 'text' }]);
  });

  it('check a server in any language, and reject its requests', async () => {
    const server = createServer((request, response) => {
      const text = request.url === '/greetings/Bob' ? 5 : 'Hello';
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ text }));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    generating.write('openapi.yaml', block('openapi.yaml'));
    /** Runs the command of a block with other ports, and stops it. */
    const run = async (command: string, traffic: (url: string) => Promise<unknown>) => {
      const [words = []] = programCommands(command);
      const own = words.map((word) => word.replace('localhost:3000', `127.0.0.1:${String(port)}`));
      const { child, output } = start(generating, [...own, '--port', '0']);
      await until('it listens or ends', () => output().includes(' goes to ') || child.exitCode !== null);
      await traffic(/Traffic to (\S+) /.exec(output())?.[1] ?? expect.fail(output()));
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      const [code] = (await exit) as [number];
      return { code, report: output().replace(/^.*\n/, '') };
    };
    const found = await run(block('proxy'), async (url) => {
      for (const name of ['Ada', 'Bob']) await (await fetch(`${url}/greetings/${name}`)).text();
    });
    expect(found).to.deep.equal({ code: 1, report: `${block('proxy report')}1 deviation.\n` });
    const enforced = await run(block('enforcing proxy'), async (url) => {
      const rejected = await fetch(`${url}/greetings/Everybody`);
      expect(await rejected.json()).to.deep.equal(JSON.parse(block('rejected request')));
    });
    expect(enforced).to.deep.equal({
      code: 0,
      report: '1 request, 0 compared with openapi.yaml, 1 rejected.\n',
    });
    server.close().closeAllConnections();
  });
});
