/** From an empty folder to the first answer, and to the first build that a change of the contract breaks, with the packed packages. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { freePort } from '../support/free-port.js';
import { until } from '../support/until.js';
import { type Consumer, useConsumers } from './consumer.js';
import { programCommands } from './installed-packages.js';
import { block } from './readme-blocks.js';

/** What the project that is made lists, which is installed before it is made. */
const LISTED = {
  dependencies: [
    '@concordat/runtime',
    '@graphql-tools/merge',
    '@graphql-tools/schema',
    '@koa/router',
    'graphql',
    'koa',
  ],
  devDependencies: ['@concordat/tools', '@types/koa', '@types/node', 'concordat', 'tsx', 'typescript'],
} as const;

const ROOTS = ['src/server.ts', 'test/rest.test.ts', 'test/graphql.test.ts', 'codegen.ts'];

describe('a project that concordat init starts', () => {
  const consumerWith = useConsumers();
  let team: Consumer;

  before(() => {
    team = consumerWith([...LISTED.dependencies, ...LISTED.devDependencies]);
  });

  const read = (file: string) => readFileSync(join(team.directory, file), 'utf8');
  const edit = (file: string, from: string, to: string) => {
    expect(read(file)).to.include(from);
    team.write(file, read(file).replace(from, to));
  };

  /** Runs the program that another project has installed, as npx does in a folder without packages. */
  function concordat(...parameters: readonly string[]): string {
    const elsewhere = consumerWith(['concordat']);
    const program = join(elsewhere.directory, 'node_modules/.bin/concordat');
    const { status, stdout, stderr } = team.node(program, ...parameters);
    expect([status, stderr]).to.deep.equal([0, '']);
    return stdout;
  }

  async function answerOf(path: string): Promise<readonly [status: number, body: unknown]> {
    const port = String(await freePort());
    const server: ChildProcess = spawn(process.execPath, ['--import', 'tsx', 'src/server.ts'], {
      cwd: team.directory,
      env: { ...process.env, PORT: port },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    server.stdout?.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
    const exit = once(server, 'exit');
    try {
      await until('it listens or ends', () => output.includes('Listening') || server.exitCode !== null);
      const response = await fetch(`http://127.0.0.1:${port}${path}`);
      return [response.status, await response.json()];
    } finally {
      server.kill();
      await exit;
    }
  }

  it('compiles, and answers that nothing is implemented', async () => {
    const commands = block('start a project');
    const [[program, ...parameters] = []] = programCommands(commands);
    expect(program).to.equal('concordat');
    const [, next] = /\nNext: (.+)\n$/.exec(concordat(...parameters)) ?? [];
    expect(commands.split('\n').slice(1)).to.deep.equal([...(next ?? '').split(' && '), '']);
    const manifest = JSON.parse(read('package.json')) as Record<keyof typeof LISTED, object>;
    expect(Object.keys(manifest.dependencies)).to.have.members(LISTED.dependencies);
    expect(Object.keys(manifest.devDependencies)).to.have.members(LISTED.devDependencies);
    expect(team.typeProblems(...ROOTS)).to.deep.equal([]);
    const [status] = await answerOf('/greetings/Ada');
    expect(status).to.equal(501);
  });

  it('answers for real with one handler written', async () => {
    edit(
      'src/rest/operations/get-greeting.ts',
      "() => {\n  throw new Problem(501, 'getGreeting is not implemented');\n};",
      '({ path }) => ({ status: 200, body: { text: `Hello, ${path.name}` } });',
    );
    edit('src/rest/operations/get-greeting.ts', "import { Problem } from '@concordat/runtime';\n", '');
    expect(team.typeProblems(...ROOTS)).to.deep.equal([]);
    expect(await answerOf('/greetings/Ada')).to.deep.equal([200, { text: 'Hello, Ada' }]);
  });

  it('passes its own tests', () => {
    const { status, stdout } = team.node('--import', 'tsx', '--test', ...ROOTS.slice(1, 3));
    expect(status, stdout).to.equal(0);
    expect(stdout).to.include('# pass 2\n');
  });

  it('does not compile any more when its contract has changed', () => {
    edit('openapi.yaml', 'text: { type: string, minLength: 1 }', 'words: { type: string, minLength: 1 }');
    edit('openapi.yaml', 'required: [text]', 'required: [words]');
    edit('openapi.yaml', "example: { text: 'Hello, Ada' }", "example: { words: 'Hello, Ada' }");
    concordat('generate');
    expect(team.typeProblems(...ROOTS)).to.deep.equal([
      "Object literal may only specify known properties, and 'text' does not exist in type 'Greeting'.",
    ]);
  });
});
