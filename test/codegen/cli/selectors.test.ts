/** `--only` and `--except` of every command that works on operations, and their keys in `codegen.ts`. */

import { readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { runProgram } from '../../../src/codegen/cli/program.js';
import type { VerifyReport } from '../../../src/tools/verify/run/verify-report.js';
import { type Run, runInProcess, Sink } from '../../support/run-program.js';

const ANSWER = {
  200: { description: 'It.', content: { 'application/json': { schema: { type: 'object' } } } },
};
const contractOf = (maxLength: number) => ({
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1.0.0' },
  paths: {
    '/bills': {
      get: { operationId: 'listBills', tags: ['money'], security: [], responses: ANSWER },
      post: { operationId: 'addBill', tags: ['money', 'writing'], security: [], responses: ANSWER },
    },
    '/users/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string', maxLength } }],
      get: { operationId: 'getUser', security: [], responses: ANSWER },
      delete: { operationId: 'dropUser', security: [], responses: ANSWER },
    },
    '/users/{id}/notes': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      get: { operationId: 'listNotes', security: [], responses: ANSWER },
    },
  },
});
const IDS = ['listBills', 'addBill', 'getUser', 'dropUser', 'listNotes'];

describe('the choice of operations', () => {
  const before = process.cwd();
  let cwd = '';

  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'concordat-selectors-'));
    process.chdir(cwd);
    await writeFile('shop.json', JSON.stringify(contractOf(5)));
    await writeFile('old.json', JSON.stringify(contractOf(6)));
    await writeFile('shop.graphql', 'type Query { one: String, two: String }\n');
  });
  afterEach(async () => {
    process.chdir(before);
    await rm(cwd, { recursive: true, force: true });
  });

  const run = (command: string): Promise<Run> => runInProcess(runProgram, command.split(' '));

  async function generated(): Promise<readonly string[]> {
    const routing = await readFile('generated/routing.ts', 'utf8');
    return IDS.filter((id) => routing.includes(`const ${id}Operation `));
  }

  const choices: readonly (readonly [options: string, ids: readonly string[]])[] = [
    ['--only tag:money --except method:post', ['listBills']],
    ['--only path:/users/**', ['getUser', 'dropUser', 'listNotes']],
    ['--only path:/users/*', ['getUser', 'dropUser']],
    ['--only path:/*/*/notes', ['listNotes']],
    ['--only operation:getUser --only tag:writing', ['addBill', 'getUser']],
    ['--except method:GET', ['addBill', 'dropUser']],
    ['--except path:/users/{id}', ['listBills', 'addBill', 'listNotes']],
  ];
  for (const [options, ids] of choices) {
    it(`is generated with ${options}`, async () => {
      expect((await run(`generate --openapi shop.json ${options}`)).exitCode).to.equal(0);
      expect(await generated()).to.have.members(ids);
      expect((await run(`check --openapi shop.json ${options}`)).exitCode).to.equal(0);
    });
  }

  it('is that of codegen.ts, unless the command line has another', async () => {
    await writeFile(
      'codegen.ts',
      `import { codegenConfig } from 'concordat';\nexport default codegenConfig({ openapi: 'shop.json', out: 'generated', only: ['path:/users/**'], except: ['method:DELETE'] });\n`,
    );
    await run('generate');
    expect(await generated()).to.have.members(['getUser', 'listNotes']);
    await run('generate --only tag:money --except tag:writing');
    expect(await generated()).to.have.members(['listBills']);
    expect((await run('init --only tag:money')).stderr).to.include('codegen.ts has the options');
  });

  it('is what init writes handlers for', async () => {
    expect((await run('init shop.json --only method:DELETE')).exitCode).to.equal(0);
    expect(readdirSync('src/rest/operations')).to.deep.equal(['drop-user.ts']);
    expect(await readFile('codegen.ts', 'utf8')).to.include(`only: ['method:DELETE']`);
  });

  it('is all that diff compares', async () => {
    const all = await run('diff old.json shop.json --json');
    expect(all.exitCode).to.equal(1);
    expect((await run('diff old.json shop.json --only tag:money')).exitCode).to.equal(0);
    expect((await run('diff old.json shop.json --except path:/users/**')).exitCode).to.equal(0);
    expect((await run('diff old.json shop.json --only operation:getUser')).stderr).to.equal(
      '1 change is breaking.\n',
    );
    expect((await run('diff shop.json shop.json --only operation:getUser')).exitCode).to.equal(0);
  });

  it('is all that a mock serves, and that verify sends', async () => {
    const [stdout, stderr] = [new Sink(), new Sink()];
    const seen: number[] = [];
    let reports: readonly VerifyReport[] = [];
    const untilStopped = async (): Promise<void> => {
      const url = /http:\/\/[^\s,]+/.exec(stdout.text)?.[0] ?? '';
      for (const path of ['/bills', '/users/a']) seen.push((await fetch(url + path)).status);
      const contracts = '--openapi shop.json --schema shop.graphql --requests 60 --json --seed 3';
      const commands = [
        '--only tag:money',
        '--only operation:Query.one --except operation:Query.two',
        '--skip listBills',
      ];
      const runs = commands.map(async (each) => run(`verify ${url} ${contracts} ${each}`));
      reports = (await Promise.all(runs)).map((each) => JSON.parse(each.stdout) as VerifyReport);
    };
    const stdin = Readable.from([]);
    const mock = ['mock', 'shop.json', 'shop.graphql', '--port', '0', '--only', 'tag:money'];
    expect(await runProgram(mock, { stdin, stdout, stderr, env: {}, untilStopped })).to.equal(0);
    expect(seen).to.deep.equal([200, 404]);
    const ids = reports.map(({ operations }) => operations.map(({ id }) => id));
    expect(ids[0]).to.have.members(['listBills', 'addBill']);
    expect(ids[1]).to.deep.equal(['Query.one']);
    expect(ids[2]).to.include.members(['addBill', 'Query.one']).and.not.include('listBills');
  });

  const commands = [
    'generate --openapi shop.json',
    'check --openapi shop.json',
    'init shop.json',
    'diff old.json shop.json',
    'mock shop.json --port 0',
    'verify http://127.0.0.1:9 --openapi shop.json',
  ];
  for (const command of commands) {
    it(`is refused by ${command} if a selector selects nothing, or is none`, async () => {
      for (const option of ['--only', '--except']) {
        const unused = await run(`${command} ${option} tag:nothing`);
        expect([unused.exitCode, unused.stdout], option).to.deep.equal([2, '']);
        expect(unused.stderr).to.match(/^[^\n]*tag:nothing selects no operation\n$/);
        const wrong = await run(`${command} ${option} getUser`);
        expect([wrong.exitCode, wrong.stdout], option).to.deep.equal([2, '']);
        expect(wrong.stderr).to.include(
          `argument 'getUser' is invalid. Write tag:NAME, operation:ID, path:/users/** or method:GET.`,
        );
      }
      expect(readdirSync('.')).to.have.members(['old.json', 'shop.graphql', 'shop.json']);
    });
  }

  it('is refused in codegen.ts too', async () => {
    await writeFile(
      'codegen.ts',
      `import { codegenConfig } from 'concordat';\nexport default codegenConfig({ openapi: 'shop.json', out: 'generated', verify: { only: ['users'] } });\n`,
    );
    expect(await run('generate')).to.deep.equal({
      exitCode: 2,
      stdout: '',
      stderr:
        'codegen.ts: verify.only must be a list of tag:NAME, operation:ID, path:/users/** or method:GET\n',
    });
  });
});
