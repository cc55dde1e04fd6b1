/** A start before its database: the program waits for PostgreSQL, for a bounded time, and says so. */

import { once } from 'node:events';
import { type Server, connect, createServer } from 'node:net';
import { expect } from 'chai';
import pg from 'pg';
import { freePort } from '../support/free-port.js';
import { sharedPostgres } from '../support/postgres-server.js';
import { until } from '../support/until.js';
import { useProgram } from './program-process.js';
import { run } from './run.js';

describe('a start before its database', () => {
  const program = useProgram();
  let port = 0;
  let url = '';
  let proxy: Server | undefined;

  beforeEach(async () => {
    port = await freePort();
    const address = new URL(await (await sharedPostgres()).createDatabase());
    const target = Number(address.port);
    address.port = String(port);
    url = address.href;
    proxy = createServer((client) => {
      const server = connect(target, '127.0.0.1');
      for (const socket of [client, server]) socket.on('error', () => socket.destroy());
      client.pipe(server).pipe(client);
    });
  });
  afterEach(() => proxy?.close());

  /** PostgreSQL now answers at the address. */
  async function answer(): Promise<void> {
    await once(proxy?.listen(port, '127.0.0.1') ?? expect.fail(), 'listening');
  }
  const begin = (): string =>
    `PostgreSQL at 127.0.0.1:${String(port)} does not answer: connect ECONNREFUSED 127.0.0.1:${String(port)}; waiting up to`;

  it('waits, with a line when it begins and one when it ends', async () => {
    const { child, stdout, exit } = program(['serve'], {
      env: { DATABASE_URL: url, PORT: '0', DEMO_DATA: 'off', AUTH_POLICY: 'open' },
    });
    await until('it waits', () => stdout().includes(`${begin()} 30 s`));
    await answer();
    await until('it listens', () => stdout().includes('listens on'));
    // The log writes its lines a moment later.
    await until('the log says so', () => stdout().includes('PostgreSQL answers'));
    expect(stdout().match(/PostgreSQL/g)?.length, stdout()).to.be.above(2);
    expect(stdout().split('waiting up to')).to.have.length(2);
    expect(stdout()).to.match(/"level":40.*PostgreSQL answers after \d+\.\d s/);
    child.kill('SIGTERM');
    expect(await exit).to.equal(0);
  });

  it('is refused after the time of START_WAIT, and ends at once on a signal', async () => {
    const env = { DATABASE_URL: url, PORT: '0', START_WAIT: '1' };
    const { stdout, stderr, exit } = program(['serve'], { env });
    expect(await exit).to.equal(1);
    expect(stdout()).to.include(`${begin()} 1 s`);
    expect(stdout()).to.match(/PostgreSQL still does not answer after \d\.\d s/);
    expect(stderr()).to.match(
      /^PostgreSQL at \S+ cannot be used: connect ECONNREFUSED .*correct DATABASE_URL\n$/,
    );

    for (const [scheme, server] of [
      ['postgres', 'PostgreSQL'],
      ['redis', 'Redis'],
    ] as const) {
      const events = { EVENTS_URL: `${scheme}://127.0.0.1:${String(port)}/0`, DATABASE_URL: 'memory:' };
      const broker = program(['serve'], { env: { ...env, ...events } });
      expect(await broker.exit).to.equal(1);
      expect(broker.stdout()).to.include(`${begin().replace('PostgreSQL', server)} 1 s`);
      expect(broker.stderr()).to.match(/cannot be used: connect ECONNREFUSED .*correct EVENTS_URL\n$/);
    }

    const waiting = program(['serve'], { env: { ...env, START_WAIT: '600' } });
    await until('it waits', () => waiting.stdout().includes('waiting up to 600 s'));
    waiting.child.kill('SIGTERM');
    expect(await waiting.exit).to.equal(0);
  });

  it('ends with 0 on a signal while another process migrates, and leaves the database as it was', async () => {
    const address = await (await sharedPostgres()).createDatabase();
    const client = new pg.Client({ connectionString: address });
    await client.connect();
    try {
      await client.query('begin; select pg_advisory_xact_lock(3853314791062309107)');
      const { child, stdout, stderr, exit } = program(['serve'], {
        env: { DATABASE_URL: address, PORT: '0', AUTH_POLICY: 'open' },
      });
      await until('it waits to migrate', async () => {
        const { rowCount } = await client.query(
          `select from pg_locks where locktype = 'advisory' and not granted`,
        );
        return rowCount === 1;
      });
      child.kill('SIGTERM');
      expect(await exit, stderr()).to.equal(0);
      expect(stdout()).to.include('stopped before the start was complete').and.not.include('listens on');
      await client.query('rollback');
      expect((await client.query(`select from pg_tables where schemaname = 'public'`)).rowCount).to.equal(0);
    } finally {
      await client.end();
    }
  });

  it('waits in `migrate` too, and in no other command', async () => {
    const { stderr, stdout, exit } = program(['migrate', '--json'], { env: { DATABASE_URL: url } });
    await until('it waits', () => stderr().includes(`${begin()} 30 s\n`));
    await answer();
    expect(await exit, stderr()).to.equal(0);
    expect(stderr()).to.match(/\nPostgreSQL answers after \d+\.\d s\n$/);
    expect(JSON.parse(stdout())).to.have.property('migrations').that.is.not.empty;

    const closed = `postgres://ada:secret@127.0.0.1:${String(await freePort())}/service`;
    const refused = await run(['sessions', 'end', '--all'], { DATABASE_URL: closed });
    expect(refused.exitCode).to.equal(1);
    expect(refused.stderr).to.match(/^PostgreSQL at \S+ cannot be used: [^\n]*\n$/);
  });

  it('does not wait for a database that refuses the user', async () => {
    await answer();
    const wrong = new URL(url);
    wrong.password = 'wrong';
    const { stdout, stderr, exit } = program(['serve'], { env: { DATABASE_URL: wrong.href, PORT: '0' } });
    expect(await exit).to.equal(1);
    expect([stdout(), stderr().split('\n').length]).to.deep.equal(['', 2]);
  });
});
