/** The program at a terminal and without one: hidden passwords, and Ctrl-C. */

import { writeFile } from 'node:fs/promises';
import { stripVTControlCharacters } from 'node:util';
import { expect } from 'chai';
import { argon2Hasher } from '../../src/core/identity/argon2.js';
import { sqliteStorage } from '../../src/core/storage/sqlite.js';
import { terminalAbsence } from '../support/pseudo-terminal.js';
import { until } from '../support/until.js';
import { isBeingWritten } from '../codegen/cli/being-written.js';
import { useProgram } from './program-process.js';
import { useDirectory } from './run.js';

const ADA = ['users', 'create', '--email', 'ada@example.com'];
const CTRL_C = '\u0003';

const SERVICE = { DATABASE_URL: 'memory:', PORT: '0' };

describe('the program without a terminal', () => {
  const program = useProgram();
  const at = useDirectory();

  it('reads a password from standard input, and shows it nowhere', async () => {
    const env = { DATABASE_URL: `sqlite:${at('piped.db')}` };
    const { exit, stdout, stderr, write } = program([...ADA, '--admin'], { env });
    write('correct horse\n');
    expect(await exit).to.equal(0);
    expect(stdout()).to.equal('Created the admin ada@example.com, id 1\n');
    expect(stderr()).to.equal('');
  });

  it('shows no progress', async () => {
    await writeFile(at('few.jsonl'), '{"table":"products","row":{"name":"Shears","priceCents":2450}}\n');
    const env = { DATABASE_URL: `sqlite:${at('few.db')}` };
    const { exit, stdout, stderr } = program(['import', 'store', at('few.jsonl')], { env });
    expect(await exit).to.equal(0);
    expect(stdout()).to.equal('Imported 1 of 1 rows\n');
    expect(stderr()).to.equal('');
  });

  it('writes the log of the service as JSON, one line per event', async () => {
    const { child, stdout, exit } = program([], { env: SERVICE });
    await until('it listens', () => stdout().includes('listens on'));
    const [, url = ''] = /listens on (\S+)/.exec(stdout()) ?? [];
    await fetch(`${url}/api/users/9`);
    child.kill('SIGTERM');
    expect(await exit).to.equal(0);
    const records = stdout()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(records.shift()).to.include({ level: 30, url });
    expect(records.shift(), 'the warning about secrets').to.include({ level: 40 });
    expect(records).to.have.length(3);
    expect(records[0]).to.include({ method: 'GET', path: '/api/users/9', status: 404, operation: 'getUser' });
  });

  it('ends silently when the reader of its output has gone', async () => {
    const { child, stderr, exit } = program(['--help']);
    child.stdout?.destroy();
    expect(await exit).to.equal(128 + 13);
    expect(stderr()).to.equal('');
  });

  it('reports an error in one line on stderr, and nothing on stdout', async () => {
    for (const [parameters, code, message] of [
      [['import', 'store', at('nowhere.jsonl')], 1, `${at('nowhere.jsonl')} is not there\n`],
      [
        ['import', 'store', '--sideways'],
        2,
        "Unknown option '--sideways'\nSee concordat-service import --help.\n",
      ],
    ] as const) {
      const { exit, stdout, stderr } = program(parameters);
      expect(await exit).to.equal(code);
      expect(stderr()).to.equal(message);
      expect(stdout()).to.equal('');
    }
  });
});

const title = 'the program at a terminal';
(terminalAbsence === undefined ? describe : describe.skip)(
  terminalAbsence === undefined ? title : `${title} (skipped: ${terminalAbsence})`,
  () => {
    const program = useProgram();
    const at = useDirectory();

    const createAt = (name: string) =>
      program(ADA, { env: { DATABASE_URL: `sqlite:${at(name)}` }, isAtTerminal: true });

    async function credentialsIn(name: string) {
      const storage = await sqliteStorage({ path: at(name) });
      const found = await storage.users.findCredentials('ada@example.com');
      await storage.close();
      return found;
    }

    it('asks for a password twice, and does not show it', async () => {
      const { exit, stdout, write } = createAt('asked.db');
      await until('it asks', () => stdout().includes('Password:'));
      write('correct horse\r');
      await until('it asks again', () => stdout().includes('The same again:'));
      write('correct horse\r');
      expect(await exit).to.equal(0);
      expect(stdout()).to.include('Created the user ada@example.com, id 1');
      expect(stdout()).not.to.match(/correct|horse/);
      const passwordHash = (await credentialsIn('asked.db'))?.passwordHash ?? '';
      expect(await argon2Hasher().verify(passwordHash, 'correct horse')).to.equal(true);
    });

    it('creates no user when the two passwords differ', async () => {
      const { exit, stdout, write } = createAt('differ.db');
      await until('it asks', () => stdout().includes('Password:'));
      write('correct horse\r');
      await until('it asks again', () => stdout().includes('The same again:'));
      write('another horse\r');
      expect(await exit).to.equal(1);
      expect(stdout()).to.include('The two passwords are not the same.');
      expect(await credentialsIn('differ.db')).to.equal(undefined);
    });

    it('exits with 130 on Ctrl-C at a prompt, and creates no user', async () => {
      const { exit, stdout, write } = createAt('stopped.db');
      await until('it asks', () => stdout().includes('Password:'));
      write(CTRL_C);
      expect(await exit).to.equal(130);
      expect(stdout())
        .to.include('Stopped.')
        .and.not.match(/^ +at /m);
      expect(await credentialsIn('stopped.db')).to.equal(undefined);
    });

    it('stops an import on Ctrl-C with 130', async () => {
      const line = `${JSON.stringify({ table: 'products', row: { name: 'Shears', priceCents: 2450 } })}\n`;
      await writeFile(at('many.jsonl'), line.repeat(10_000));
      const path = at('many.db');
      const parameters = ['import', 'store', at('many.jsonl')];
      const options = { env: { DATABASE_URL: `sqlite:${path}` }, isAtTerminal: true };

      const broken = program(parameters, options);
      await until('it stores', () => isBeingWritten(path));
      broken.write(CTRL_C);
      expect(await broken.exit).to.equal(130);
      expect(broken.stdout()).not.to.include('Imported');

      const whole = program(parameters, options);
      expect(await whole.exit).to.equal(0);
      expect(whole.stdout()).to.include('Imported 10000 of 10000 rows');
      const storage = await sqliteStorage({ path });
      expect(await storage.products.count()).to.equal(10_000);
      await storage.close();
    });

    it('writes the log of the service as text, and ends it on Ctrl-C', async () => {
      const { stdout, write, exit } = program([], { env: SERVICE, isAtTerminal: true });
      const screen = (): string => stdout().replaceAll('\r\n', '\n');
      await until('it listens', () => screen().includes('listens on'));
      const [, url = ''] = /listens on (\S+)/.exec(screen()) ?? [];
      await fetch(`${url}/api/users/2`);
      await until('the request is logged', () => screen().includes('/api/users/2'));
      write(CTRL_C);
      expect(await exit).to.equal(0);
      expect(screen()).to.include(`  start here  ${url}/\n`);
      expect(screen()).to.include('  sign in     ada@example.com, password concordat-demo (admin)\n');
      const colourless = stripVTControlCharacters(screen());
      expect(colourless).to.match(/^\[\d\d:\d\d:\d\d\] INFO: GET \/api\/users\/2 200 in [\d.]+ ms$/m);
      expect(colourless).to.match(/INFO: stopping\n.*INFO: stopped\n$/);
      expect(colourless).not.to.include('{');
    });
  },
);
