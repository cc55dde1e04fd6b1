/** What the READMEs show for models, for tests and for openapi-backend, run in a project with the packages that they name. */

import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect } from 'chai';
import { useService } from '../support/service.js';
import { type Consumer, useConsumers } from './consumer.js';
import { installed } from './installed-packages.js';
import { type BlockName, block, blockAt } from './readme-blocks.js';

describe('README: tools, tests and openapi-backend', () => {
  const consumerWith = useConsumers();
  const clients: Client[] = [];
  after(() => Promise.all(clients.map((client) => client.close())));

  /** A project with the contract of the README, and a block beside its engine, compiled. */
  function projectWith(name: BlockName, ...packages: readonly string[]): Consumer {
    const team = consumerWith([
      '@concordat/runtime',
      'concordat',
      '@concordat/tools',
      '@types/node',
      ...packages,
    ]);
    for (const each of ['openapi.yaml', 'engine.ts', 'tools.codegen.ts', name] as const)
      team.write(each, block(each));
    const generated = team.node('node_modules/.bin/concordat', 'generate', '--config', 'tools.codegen.ts');
    expect(generated.status, generated.stderr).to.equal(0);
    expect(team.typeProblems(name)).to.deep.equal([]);
    team.compile(name, '.');
    return team;
  }

  async function connected(command: string, args: readonly string[], directory: string): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' });
    clients.push(client);
    await client.connect(new StdioClientTransport({ command, args: [...args], cwd: directory }));
    return client;
  }

  it('offers operations to a model', async () => {
    const names = installed(block('install the tools')).flatMap((each) => each.names);
    const { directory } = projectWith('tools.ts', ...names);
    const client = await connected(process.execPath, ['tools.js'], directory);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).to.deep.equal(['getGreeting']);
    const greeting = await client.callTool({ name: 'getGreeting', arguments: { name: 'Ada' } });
    expect(greeting.structuredContent).to.deep.equal({ text: 'Hello, Ada' });
    const refused = await client.callTool({ name: 'getGreeting', arguments: { name: 'Everybody' } });
    expect(refused).to.deep.include({
      isError: true,
      content: [{ type: 'text', text: 'path/name must NOT have more than 5 characters' }],
    });
  });

  it('is tested from its contract', () => {
    const team = projectWith('greetings.test.ts');
    const passed = team.node('--test', '--test-reporter=tap', 'greetings.test.js');
    expect(passed.status, passed.stdout).to.equal(0);
    expect(passed.stdout).to.include('# pass 2\n');
    // An answer that does not fit fails both tests.
    team.write('engine.ts', block('engine.ts').replace(/body: \{.*?\} \}/, 'body: { text: 7 as never } }'));
    team.compile('greetings.test.ts', '.');
    expect(team.node('--test', '--test-reporter=tap', 'greetings.test.js').stdout).to.include('# fail 2\n');
  });

  it('observes routes, and fails for new deviations', () => {
    const before = consumerWith(['@concordat/runtime', 'concordat', 'koa', '@types/koa', '@types/node']);
    for (const each of ['openapi.yaml', 'observed.ts', 'deviations.test.ts'] as const)
      before.write(each, block(each));
    const generated = before.node('node_modules/.bin/concordat', 'generate', '--openapi', 'openapi.yaml');
    expect(generated.status, generated.stderr).to.equal(0);
    expect(before.typeProblems('deviations.test.ts')).to.deep.equal([]);
    before.compile('deviations.test.ts', '.');
    const test = (): string => before.node('--test', '--test-reporter=tap', 'deviations.test.js').stdout;
    expect(test()).to.include("'getGreeting response 200 body/text type'").and.to.include('# fail 1\n');
    before.write('concordat.json', '{ "deviations": ["getGreeting response 200 body/text type"] }');
    expect(test()).to.include('# pass 2\n');
  });

  it('says what its tests use of the contract', () => {
    const team = projectWith('usage.test.ts');
    const passed = team.node('--test', '--test-reporter=tap', 'usage.test.js');
    expect(passed.status, passed.stdout).to.equal(0);
    const [, ...words] = block('coverage').trim().split(' ');
    const { status, stdout, stderr } = team.node('node_modules/.bin/concordat', ...words.slice(1));
    expect({ status, stdout, stderr }).to.deep.equal({
      status: 0,
      stdout: block('coverage report'),
      stderr: '',
    });
  });

  it('is tested with the requests that its contract takes', () => {
    const team = projectWith('greetings.property.test.ts', 'fast-check');
    const passed = team.node('--test', '--test-reporter=tap', 'greetings.property.test.js');
    expect(passed.stdout).to.include('# pass 1\n');
    // A handler that fails for the longest names, which the test finds.
    const faulty = block('engine.ts').replace(
      '`Hello, ${path.name}`',
      'path.name.length < 5 ? "" : (7 as never)',
    );
    team.write(
      'engine.ts',
      faulty
        .replace('anonymous', 'checkResponses, anonymous')
        .replace(/^/, "import * as checkResponses from './generated/response-validators.js';\n"),
    );
    team.compile('greetings.property.test.ts', '.');
    const failed = team.node('--test', '--test-reporter=tap', 'greetings.property.test.js');
    expect(failed.stdout)
      .to.match(/Counterexample: .*name.*:/)
      .and.to.include('# fail 1\n');
  });

  it('runs behind openapi-backend', () => {
    const { stdout, stderr } = projectWith('backend.ts', 'openapi-backend').node('backend.js');
    expect([stdout, stderr]).to.deep.equal(['200 {"text":"Hello, Ada"}\n', '']);
  });

  describe('of the service', () => {
    const service = useService({ demoData: true });

    it('are called by a program that starts the command of the README', async () => {
      const { port } = new URL(service.url);
      const configured = JSON.parse(blockAt('tools of the service', Number(port))) as {
        readonly mcpServers: {
          readonly concordat: { readonly command: string; readonly args: readonly string[] };
        };
      };
      const { command, args } = configured.mcpServers.concordat;
      const { directory } = consumerWith(['@concordat/service']);
      expect(command).to.equal('npx');
      // npx itself would ask the registry whether there is a newer program.
      const [program = '', ...rest] = args;
      const path = join(directory, 'node_modules/.bin', program);
      const client = await connected(process.execPath, [path, ...rest], directory);
      const user = await client.callTool({ name: 'getUser', arguments: { id: '1' } });
      expect(user.structuredContent).to.deep.include({ name: 'Ada Lovelace' });
    });
  });
});
