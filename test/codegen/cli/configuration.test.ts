/** `codegen.ts` as the configuration of every command: several APIs, the order of what holds, and its faults. */

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { urlOf } from '@concordat/runtime/terminal';
import { generate as runGraphqlCodegen } from '@graphql-codegen/cli';
import type { Types } from '@graphql-codegen/plugin-helpers';
import { expect } from 'chai';
import { codegenConfig } from 'concordat';
import { runProgram } from '../../../src/codegen/cli/program.js';
import { freePort } from '../../support/free-port.js';
import { type Run, runInProcess, Sink } from '../../support/run-program.js';

const contractOf = (name: string): string => `openapi: 3.1.0
info: { title: ${name}, version: 1.0.0 }
paths:
  /${name}/{id}:
    get:
      operationId: get_${name}
      security: []
      parameters:
        - { name: id, in: path, required: true, schema: { type: string, maxLength: 5 } }
      responses:
        '200':
          description: It.
          content: { application/json: { schema: { type: object, properties: { id: { type: string } } }, example: { id: ${name} } } }
`;

const TWO = `
  apis: {
    bills: { openapi: 'bills/openapi.yaml', out: 'made/bills' },
    users: { openapi: 'users/openapi.yaml', schema: 'users/schema.graphql', out: 'made/users' },
  },`;
const ONE = `openapi: 'bills/openapi.yaml', out: 'made',`;

describe('codegen.ts', () => {
  const before = process.cwd();
  let cwd = '';

  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'concordat-configuration-'));
    process.chdir(cwd);
    for (const name of ['bills', 'users']) {
      await mkdir(name);
      await writeFile(`${name}/openapi.yaml`, contractOf(name));
    }
    await writeFile('users/schema.graphql', 'type Query { user(id: ID!): String }\n');
  });
  afterEach(async () => {
    process.chdir(before);
    await rm(cwd, { recursive: true, force: true });
  });

  const configure = (options: string, file = 'codegen.ts'): Promise<void> =>
    writeFile(
      file,
      `import { codegenConfig } from 'concordat';\nexport default codegenConfig({ ${options} });\n`,
    );
  const run = (command: string, env = {}): Promise<Run> => runInProcess(runProgram, command.split(' '), env);
  const madeOf = (name: string): readonly string[] => readdirSync(`made/${name}`);

  /** Runs a command that serves, and stops it after a test has asked it. */
  async function serving(command: string, ask: (stdout: string) => Promise<void>): Promise<Run> {
    const [stdout, stderr] = [new Sink(), new Sink()];
    let failure: unknown;
    const untilStopped = () =>
      ask(stdout.text).catch((error: unknown) => {
        failure = error;
      });
    const stdin = Readable.from([]);
    const exitCode = await runProgram(command.split(' '), { stdin, stdout, stderr, env: {}, untilStopped });
    if (failure !== undefined) throw failure as Error;
    return { exitCode, stdout: stdout.text, stderr: stderr.text };
  }

  const urlsIn = (text: string): readonly string[] =>
    text.match(/(?<=(?:listens on|Traffic to) )http:\/\/[^\s,]+/g) ?? [];
  const answerOf = async (url: string): Promise<unknown> => (await fetch(url)).json();

  describe('with several APIs', () => {
    beforeEach(() => configure(TWO));

    it('generates and checks all, and says for which one it speaks', async () => {
      const generated = await run('generate');
      expect(generated).to.deep.include({ exitCode: 0, stderr: '' });
      expect(generated.stdout).to.include('bills: wrote made/bills/routing.ts\n');
      expect(generated.stdout).to.include('users: wrote made/users/schema.ts\n');
      const text = 'The contract has no problems, and the generated files are up to date.';
      expect((await run('check')).stdout).to.equal(`bills: ${text}\nusers: ${text}\n`);

      await writeFile('made/users/schema.ts', '');
      const stale = await run('check');
      expect([stale.exitCode, stale.stdout]).to.deep.equal([1, 'users: stale: made/users/schema.ts\n']);
      const json = JSON.parse((await run('check --json')).stdout) as Record<string, { stale: unknown }>;
      expect([json['bills']?.stale, json['users']?.stale]).to.deep.equal([[], ['made/users/schema.ts']]);
      expect(JSON.parse((await run('check --api users --json')).stdout)).to.have.property('stale');
      const junit = (await run('check --format junit')).stdout;
      expect(junit.match(/<testsuites/g)).to.have.length(1);
      expect((await run('check --api bills')).exitCode).to.equal(0);
    });

    it('works on the one that --api names', async () => {
      expect((await run('generate --api users')).exitCode).to.equal(0);
      expect(readdirSync('made')).to.deep.equal(['users']);
      expect(await run('generate --api user')).to.deep.equal({
        exitCode: 2,
        stdout: '',
        stderr: 'codegen.ts: there is no API user: do you mean users?\n',
      });
    });

    it('writes nothing if one of the contracts has a problem', async () => {
      await writeFile('users/openapi.yaml', contractOf('users').replace('type: string', 'type: strin'));
      const { exitCode, stderr } = await run('generate');
      expect(exitCode).to.equal(1);
      expect(stderr).to.match(/^users\/openapi\.yaml:9:/);
      expect(readdirSync('.')).to.not.include('made');
    });

    it('refuses to write two of them to one folder', async () => {
      expect(await run('generate --out x')).to.deep.equal({
        exitCode: 2,
        stdout: '',
        stderr: 'two APIs would be written to x: name one with --api\n',
      });
      await configure(TWO.replace('made/users', 'made/bills'));
      expect((await run('generate')).stderr).to.equal(
        'codegen.ts: two of apis have the same out, made/bills\n',
      );
    });

    it('shares the list of operations that are not served between contracts of one folder', async () => {
      await writeFile('bills/users.yaml', contractOf('users'));
      await configure(
        `apis: { bills: { openapi: 'bills/openapi.yaml', out: 'a' }, users: { openapi: 'bills/users.yaml', out: 'b', only: ['operation:get_users'] } }`,
      );
      await run('generate');
      await writeFile('bills/concordat.json', '{ "notServed": ["get_users"] }');
      const both = await run('check');
      expect(both.stdout)
        .to.include('bills: get_users is generated and listed')
        .and.not.include('no such operation');
      await writeFile('bills/concordat.json', '{ "notServed": ["get_else"] }');
      expect((await run('check')).stdout).to.include('bills: get_else is listed in "notServed"');
      expect((await run('check --api users')).exitCode).to.equal(0);
    });

    it('serves a mock of each, on a port of its own', async () => {
      const { exitCode, stdout } = await serving('mock --port 0', async (text) => {
        const [bills = '', users = ''] = urlsIn(text);
        expect(await answerOf(`${bills}/bills/a`)).to.deep.equal({ id: 'bills' });
        expect(await answerOf(`${users}/users/a`)).to.deep.equal({ id: 'users' });
      });
      expect(exitCode).to.equal(0);
      expect(stdout).to.match(/^bills: Mock of bills\/openapi\.yaml listens on /);
      expect(stdout).to.match(/\nusers: Mock of users\/openapi\.yaml and users\/schema\.graphql listens on /);
    });

    it('verifies each at its address, and records each into its document', async () => {
      await serving('mock --port 0', async (text) => {
        const [bills = '', users = ''] = urlsIn(text);
        const sections = (url: string, out: string) =>
          `verify: { url: '${url}', seed: 3 }, record: { url: '${url}', out: '${out}', port: 0 },`;
        await configure(
          TWO.replace('bills: {', `bills: { ${sections(bills, 'a.yaml')}`).replace(
            'users: {',
            `users: { ${sections(users, 'b.yaml')}`,
          ),
        );
        const verified = await run('verify --requests 100');
        expect(verified.stderr).to.equal('');
        expect(verified.stdout).to.match(/^bills: http\S+ \d+ requests to 1 operation, seed 3: 0 violations/);
        expect(verified.stdout).to.match(
          /\nusers: http\S+ \d+ requests to 2 operations, seed 3: 0 violations/,
        );
        const junit = (await run('verify --requests 50 --format junit')).stdout;
        expect(junit).to.include('name="bills: GET /bills/{id}"').and.include('name="users: query user"');
        expect((await run('verify --api users --requests 9')).stdout)
          .to.match(/^users: /)
          .and.not.include('bills');

        const recorded = await serving('record', async (started) => {
          for (const url of urlsIn(started)) await fetch(`${url}/bills/a`).then((answer) => answer.text());
        });
        expect(recorded.stdout)
          .to.include('bills: a.yaml is written.\n')
          .and.include('users: b.yaml is written.\n');
        expect(await readFile('a.yaml', 'utf8')).to.include('/bills/');
      });
    });

    it('compares each with the base', async () => {
      const git = (...parameters: readonly string[]): unknown =>
        execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...parameters]);
      git('init', '--quiet');
      git('add', 'bills', 'users/openapi.yaml');
      git('commit', '--quiet', '-m', 'First');
      await writeFile('bills/openapi.yaml', contractOf('bills').replace('maxLength: 5', 'maxLength: 4'));
      await configure(`diff: { base: 'HEAD' }, ${TWO}`);
      const all = await run('diff');
      expect([all.exitCode, all.stderr]).to.deep.equal([
        1,
        'users: users/schema.graphql is not in HEAD: there is nothing to compare\n1 change is breaking.\n',
      ]);
      expect(all.stdout).to.match(/^bills: HEAD:bills\/openapi\.yaml → bills\/openapi\.yaml/);
      expect((await run('diff --api users')).exitCode).to.equal(0);
      expect((await run('diff --base nowhere')).exitCode).to.equal(2);

      // A folder below that of the contracts.
      process.chdir('users');
      await configure(`openapi: '../bills/openapi.yaml', out: 'made', diff: { base: 'HEAD' }`);
      expect((await run('diff')).stderr).to.equal('1 change is breaking.\n');
      expect((await run('diff HEAD:../bills/openapi.yaml ../bills/openapi.yaml')).exitCode).to.equal(1);
      process.chdir('..');

      await mkdir('released/bills', { recursive: true });
      await writeFile('released/bills/openapi.yaml', contractOf('bills'));
      expect((await run('diff --base released --api bills')).stderr).to.equal('1 change is breaking.\n');
      await configure(TWO);
      expect(await run('diff')).to.deep.equal({
        exitCode: 2,
        stdout: '',
        stderr: 'bills: Name an old and a new version of each contract, or the base of diff in codegen.ts.\n',
      });
    });

    it('is written whole by graphql-codegen', async () => {
      const options = ['bills', 'users'].map((name) => [
        name,
        { openapi: `${name}/openapi.yaml`, schema: 'users/schema.graphql', out: `made/${name}` },
      ]);
      const apis = Object.fromEntries(options) as Record<string, { schema: string; out: string }>;
      const config = codegenConfig({ apis, mock: { port: 8080 } }) as Types.Config;
      await runGraphqlCodegen({ ...config, silent: true });
      expect(madeOf('bills')).to.include.members(['routing.ts', 'graphql.ts']);
      await configure(JSON.stringify({ apis }).slice(1, -1));
      expect((await run('check')).exitCode).to.equal(0);
    });

    it('is not what init adds parts of, unless --api names one', async () => {
      const { exitCode, stderr } = await run('init');
      expect([exitCode, stderr]).to.deep.equal([
        2,
        'codegen.ts has several APIs: name with --api the one whose parts this project has\n',
      ]);
      expect(readdirSync('.')).to.have.members(['bills', 'codegen.ts', 'users']);
      expect((await run('init --api users')).exitCode).to.equal(0);
      expect(readdirSync('src/rest/operations')).to.have.length(1);
    });
  });

  describe('and the command line', () => {
    it('gives way to an option', async () => {
      await configure(`${ONE} accept: ['servers']`);
      expect((await run('generate --accept servers')).stderr).to.include('servers');
      await configure(ONE);
      expect((await run('generate --out other')).stdout).to.include('wrote other/routing.ts\n');
      expect((await run('generate --openapi users/openapi.yaml')).stdout).to.include(
        'wrote made/routing.ts\n',
      );
      expect(madeOf('')).to.include('routing.ts');
      expect(await readFile('made/routing.ts', 'utf8')).to.include('get_users');
    });

    it('has values for its options, with those of one API before those of all', async () => {
      await configure(
        `verify: { url: 'http://localhost:1', seconds: 5, requests: 7 }, mock: { port: 1234 }, apis: { bills: { openapi: 'bills/openapi.yaml', out: 'a', verify: { seconds: 6 } } }`,
      );
      const { exitCode, stdout } = await run('config verify --requests 8 --header key=secret');
      expect(exitCode).to.equal(0);
      expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).to.deep.include.members([
        ['openapi', 'codegen.ts, apis.bills', 'bills/openapi.yaml'],
        ['verify.url', 'codegen.ts', 'http://localhost:1'],
        ['verify.seconds', 'codegen.ts, apis.bills', '6'],
        ['verify.requests', 'command line', '8'],
        ['verify.headers', 'command line', '{"key":"…"}'],
        ['verify.graphqlPath', 'default', '/graphql'],
      ]);
      expect(JSON.parse((await run('config --json')).stdout)).to.deep.include.members([
        { api: 'bills', key: 'mock.port', value: 1234, from: 'codegen.ts' },
        { api: 'bills', key: 'verify.requests', value: 7, from: 'codegen.ts' },
        { api: 'bills', key: 'out', value: 'a', from: 'codegen.ts, apis.bills' },
      ]);
    });

    it('has an address and contracts for config as for the command', async () => {
      await configure(`${ONE} verify: { url: 'http://localhost:1' }`);
      expect((await run('config verify http://a:b@localhost:2')).stdout).to.match(
        /^openapi +codegen\.ts .*\nverify\.url +command line +http:\/\/\*\*\*@localhost:2\n/,
      );
      expect((await run('config mock users/openapi.yaml')).stdout).to.match(/^mock\.host/);
      expect((await run('config mock --prt 3')).stderr).to.equal('mock has no option --prt\n');
      expect((await run('config mok')).stderr).to.equal('there is no command mok: do you mean mock?\n');
    });

    it('are listed without a file too', async () => {
      expect((await run('config mock')).stdout).to.match(
        /^mock\.host +default +127\.0\.0\.1\nmock\.port +default +4010\n/,
      );
    });

    it('takes the port of docs and of mock from the file, unless it is given', async () => {
      const port = await freePort();
      await configure(`${ONE} mock: { port: ${String(port)} }, docs: { port: 0 }`);
      await serving('mock', (text) =>
        Promise.resolve(void expect(text).to.include(`127.0.0.1:${String(port)}`)),
      );
      await serving('mock --port 0', (text) =>
        Promise.resolve(void expect(text).to.not.include(`127.0.0.1:${String(port)}\n`)),
      );
      const docs = await serving('docs --serve', () => Promise.resolve());
      expect(docs.stdout)
        .to.match(/^The guides are on http:/)
        .and.not.include(':4030');
    });

    it('gives no API a port after the last', async () => {
      await configure(TWO);
      const { exitCode, stderr } = await run('mock --port 65535');
      expect([exitCode, stderr]).to.deep.equal([
        2,
        'There is no port after 65535 for a further API: give a lower port\n',
      ]);
    });

    it('sends the headers and credentials of environment variables', async () => {
      const seen = new Set<unknown>();
      const server = createServer((request, response) => {
        seen.add(request.headers['x-key']);
        response.setHeader('content-type', 'application/json').end('{"id":"a"}');
      });
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const secured = contractOf('bills').replace('security: []', 'security: [{ key: [] }]');
      const scheme = 'components: { securitySchemes: { key: { type: apiKey, in: header, name: X-Key } } }\n';
      await writeFile('bills/openapi.yaml', secured + scheme);
      await configure(
        `${ONE} verify: { url: '${urlOf(server)}', requests: 20, seed: 5, credentials: { key: { env: 'THE_KEY' } } }`,
      );
      await run('verify', { THE_KEY: 'sesame' });
      server.close();
      expect([...seen]).to.include('sesame');
      expect(await run('verify')).to.deep.equal({
        exitCode: 2,
        stdout: '',
        stderr: 'credentials.key: the environment variable THE_KEY is not set.\n',
      });
    });

    it('leave a configuration of graphql-codegen alone to that program', async () => {
      await writeFile('codegen.ts', `export default { schema: 'a.graphql', generates: {} };\n`);
      await serving('mock bills/openapi.yaml --port 0', async (text) => {
        expect(await answerOf(`${String(urlsIn(text)[0])}/bills/a`)).to.deep.equal({ id: 'bills' });
      });
      expect((await run('generate --openapi bills/openapi.yaml')).exitCode).to.equal(0);
      expect((await run('mock --config codegen.ts')).stderr).to.equal(
        'codegen.ts must export default codegenConfig({ … })\n',
      );
    });
  });

  const faults: readonly (readonly [options: string, sentence: string])[] = [
    [`${ONE} lenint: true`, 'there is no key lenint: do you mean lenient?'],
    [`${ONE} verify: { urls: 'x' }`, 'there is no key verify.urls: do you mean url?'],
    [`${ONE} verify: { url: 'localhost' }`, 'verify.url must be an address such as http://localhost:3000'],
    [`${ONE} verify: { seconds: '5' }`, 'verify.seconds must be a whole number'],
    [
      `${ONE} verify: { credentials: { key: 'x' } }`,
      "verify.credentials must be an object of { env: 'VARIABLE' }",
    ],
    [`${ONE} mock: 4010`, 'mock must be an object'],
    [`${ONE} mock: { port: 65536 }`, 'mock.port must be a number from 0 to 65535'],
    [`${ONE} diff: { failOn: 'braking' }`, 'diff.failOn must be one of breaking, dangerous'],
    [`${ONE} record: { paths: '/a' }`, 'record.paths must be a list of texts'],
    [`${ONE} qqqqqqqqqq: 1`, 'there is no key qqqqqqqqqq: it has openapi, schema, out, '],
    [`out: 'made'`, 'name an openapi document, a GraphQL schema, or both'],
    [`openapi: 'bills/openapi.yaml'`, 'name the folder of the generated files, out'],
    [`apis: {}`, 'apis must be an object with at least one API, such as { billing: { openapi, out } }'],
    [`apis: { bills: { out: 'a' } }`, 'apis.bills: name an openapi document, a GraphQL schema, or both'],
    [
      `apis: { bills: { openapi: 'a', out: 'a', mok: {} } }`,
      'there is no key apis.bills.mok: do you mean mock?',
    ],
    [`apis: { bills: { openapi: 'a', out: 'a' } }, out: 'b'`, 'there is no key out: '],
  ];
  for (const [options, sentence] of faults) {
    it(`is refused with ${options}`, async () => {
      await configure(options);
      for (const command of ['generate', 'mock', 'config']) {
        const { exitCode, stdout, stderr } = await run(command);
        expect([exitCode, stdout], command).to.deep.equal([2, '']);
        expect(stderr)
          .to.match(/^codegen\.ts: [^\n]+\n$/)
          .and.include(sentence);
      }
      expect(readdirSync('.')).to.have.members(['bills', 'codegen.ts', 'users']);
    });
  }

  it('is refused with the place at which it is no TypeScript', async () => {
    await configure(`openapi: 'a' out: 'b'`);
    expect(await run('generate')).to.deep.equal({
      exitCode: 2,
      stdout: '',
      stderr: 'codegen.ts:2:44: ParseError: Unexpected token, expected ","\n',
    });
  });
});
