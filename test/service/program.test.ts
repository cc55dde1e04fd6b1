/** Tests the command line of `concordat-service`, and its exit codes. */

import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { migrations } from '../../src/core/storage/sql/migrations/migrations.js';
import { databaseUrl, removeStores, stores } from '../support/stores.js';
import { run, start, useDirectory } from './run.js';

describe('concordat-service', () => {
  const at = useDirectory();
  after(removeStores);

  const commands = [
    ['serve'],
    ['migrate'],
    ['users'],
    ['users', 'create'],
    ['keys'],
    ['keys', 'create'],
    ['keys', 'list'],
    ['keys', 'revoke'],
    ['import'],
    ['export'],
    ['mcp'],
  ];
  for (const command of commands) {
    it(`${command.join(' ')} --help shows its usage`, async () => {
      const { exitCode, stdout, stderr } = await run([...command, '--help']);
      expect(exitCode).to.equal(0);
      expect(stderr).to.equal('');
      expect(stdout).to.match(new RegExp(`^Usage: concordat-service ${command.join(' ')}`));
      expect(stdout).to.match(/Examples:\n {2}\S/);
    });
  }

  it('--help names every command and every exit code', async () => {
    const { stdout } = await run(['--help']);
    for (const [name = ''] of commands) expect(stdout).to.match(new RegExp(`^  ${name}\\b`, 'm'));
    for (const code of ['0', '1', '2', '130']) expect(stdout).to.match(new RegExp(`^  ${code} +\\S`, 'm'));
  });

  it('--version prints the version of the package', async () => {
    expect((await run(['--version'])).stdout).to.match(/^\d+\.\d+\.\d+\n$/);
  });

  const misuses: readonly (readonly [string, readonly string[]])[] = [
    ["Unknown command 'nonsense'", ['nonsense']],
    ["Unknown option '--nonsense'", ['migrate', '--nonsense']],
    ["Missing required argument 'kind'", ['import']],
    ['Allowed choices are users, products, orders, posts', ['export', 'nonsense']],
    ["Required option '--email <address>' not specified", ['users', 'create']],
  ];
  for (const [message, parameters] of misuses) {
    it(`${parameters.join(' ')} is refused as wrong usage`, async () => {
      const { exitCode, stdout, stderr } = await run(parameters);
      expect(stderr).to.include(message);
      expect(stderr).not.to.match(/^ +at /m);
      expect(stdout).to.equal('');
      expect(exitCode).to.equal(2);
    });
  }

  const failures: readonly (readonly [exitCode: number, error: string, parameters: readonly string[]])[] = [
    [1, 'DATABASE_URL is memory:, whose data', ['migrate', '--json']],
    [1, 'DATABASE_URL is memory:, whose data', ['keys', 'list', '--json']],
    [1, 'nowhere.jsonl is not there', ['import', 'store', 'nowhere.jsonl', '--json']],
    [2, 'No password: type it at the prompt', ['users', 'create', '--email', 'a@example.com', '--json']],
    [
      2,
      "Unknown option '--nonsense'. See concordat-service migrate --help.",
      ['migrate', '--json', '--nonsense'],
    ],
    [2, "Required option '--name <name>' not specified", ['keys', 'create', '--json']],
    [1, 'DATABASE_URL is memory:, whose data', ['export', 'users', '--json']],
  ];
  for (const [code, error, parameters] of failures) {
    it(`${parameters.join(' ')} fails in JSON`, async () => {
      const { exitCode, stdout, stderr } = await run(parameters, { DATABASE_URL: 'memory:' });
      expect([exitCode, stdout]).to.deep.equal([code, '']);
      expect(stderr).to.match(/^[^\n]+\n$/);
      const told = JSON.parse(stderr) as { readonly error: string };
      expect(told).to.have.all.keys('error');
      expect(told.error).to.include(error);
    });
  }

  it('a failure is a sentence where --json is not an option', async () => {
    const { exitCode, stderr } = await run(['import', 'store', '--', '--json']);
    expect([exitCode, stderr]).to.deep.equal([1, '--json is not there\n']);
  });

  it('import --json prints the report, and why it failed', async () => {
    const file = at('refused.jsonl');
    writeFileSync(file, '{"table":"shoes","row":{}}\n');
    const env = { DATABASE_URL: `sqlite:${at('import.db')}` };
    const { exitCode, stdout, stderr } = await run(['import', 'store', file, '--json'], env);
    expect(exitCode).to.equal(1);
    expect(JSON.parse(stdout)).to.deep.include({ imported: 0, lines: 1 });
    expect(JSON.parse(stderr)).to.deep.equal({ error: 'Nothing was imported: a line was refused.' });
  });

  it('accepts lasting stores only, and repeats no password', async () => {
    const memory = await run(['migrate'], { DATABASE_URL: 'memory:' });
    expect(memory.exitCode).to.equal(1);
    expect(memory.stderr).to.match(/^DATABASE_URL is memory:, [^\n]*\n$/);
    const wrong = await run(['migrate'], { DATABASE_URL: 'mysql://root:secret@localhost/x' });
    expect(wrong.exitCode).to.equal(1);
    expect(wrong.stderr)
      .to.match(/^DATABASE_URL must be [^\n]*\n$/)
      .and.not.include('secret');
  });

  it('warns where the name of the store has a slip', async () => {
    const env = { DATABASE_URL: `sqlite:${at('slip.db')}`, DATABASE_ULR: 'postgres://u:secret@h/d' };
    const { exitCode, stderr } = await run(['migrate'], env);
    expect([exitCode, stderr]).to.deep.equal([0, 'DATABASE_ULR is ignored: the setting is DATABASE_URL\n']);
  });

  it('migrate says what it did', async () => {
    const env = { DATABASE_URL: `sqlite:${at('migrate.db')}` };
    const first = JSON.parse((await run(['migrate', '--json'], env)).stdout) as { migrations: string[] };
    expect(first.migrations).to.deep.equal(Object.keys(migrations));
    const second = await run(['migrate'], env);
    expect(second).to.deep.include({ exitCode: 0, stderr: '' });
    expect(second.stdout).to.equal(`SQLite, ${at('migrate.db')}: up to date already\n`);
  });

  for (const { name: kind, make } of stores.filter(({ name }) => name !== 'memory')) {
    it(`migrate --dry-run changes nothing, and serve --no-migrate starts only on tables that are up to date, ${kind}`, async () => {
      const env = { ...(await databaseUrl(make)), PORT: '0', LOG_LEVEL: 'silent', DEMO_DATA: 'off' };
      for (let time = 1; time <= 2; time += 1) {
        const dry = await run(['migrate', '--dry-run'], env);
        expect(dry).to.deep.include({ exitCode: 0, stderr: '' });
        expect(dry.stdout).to.match(/: out of date\n {2}would run 0001_first_release\n/);
      }
      const refused = await run(['serve', '--no-migrate'], env);
      expect(refused.exitCode).to.equal(1);
      expect(refused.stderr).to.match(
        /^The tables of the database are out of date: 0001_first_release, .* have not run\n$/,
      );
      expect((await run(['migrate'], env)).exitCode).to.equal(0);
      expect((await run(['migrate', '--dry-run'], env)).stdout).to.match(/: up to date already\n$/);
      const service = start(['serve', '--no-migrate'], env);
      for await (const chunk of service.stdout) if (/listens on \S+/.test(String(chunk))) break;
      service.stop();
      expect(await service.ended).to.equal(0);
    });
  }

  it('serves without a command', async () => {
    const service = start([], { DATABASE_URL: 'memory:', PORT: '0', LOG_LEVEL: 'silent' });
    let text = '';
    for await (const chunk of service.stdout) {
      text += String(chunk);
      if (/listens on \S+/.test(text)) break;
    }
    const response = await fetch(`${/listens on (\S+)/.exec(text)?.[1] ?? ''}/api/users`);
    expect(response.status).to.equal(200);
    await response.body?.cancel();
    service.stop();
    expect(await service.ended).to.equal(0);
  });
});
