/** The fault drill: PostgreSQL or Redis stops, freezes or accepts no writes, and comes back. */

import { rm } from 'node:fs/promises';
import { expect } from 'chai';
import pg from 'pg';
import { compileService } from '../support/compiled-service.js';
import { type Fault, drill, ofPostgres, ofRedis } from '../support/fault-drill.js';
import { startProcess } from '../support/started-process.js';
import { until } from '../support/until.js';
import { PostgresServer } from '../support/postgres-server.js';
import { RedisServer, withRedis } from '../support/redis-server.js';
import { patientNow } from '../support/durations.js';

withRedis('a service under load whose foundations break', () => {
  let postgres: PostgresServer;
  let redis: RedisServer;
  let program = '';

  before(async () => {
    program = await compileService();
    [postgres, redis] = await Promise.all([PostgresServer.start(), RedisServer.start()]);
  });
  after(() => Promise.all([redis.kill(), postgres.stop(), rm(program, { recursive: true })]));

  /** Changes the setting of all connections. A database that is read-only accepts this. */
  async function setReadOnly(value: 'on' | 'off'): Promise<void> {
    const admin = new pg.Client(postgres.url('postgres'));
    await admin.connect();
    await admin.query(`alter system set default_transaction_read_only = ${value}`);
    await admin.query('select pg_reload_conf()');
    await admin.end();
  }

  const database = { ...ofPostgres, server: () => postgres.url('postgres') };
  const broker = { ...ofRedis, server: () => redis.url };
  const faults: readonly (Fault & { readonly name: string })[] = [
    {
      ...database,
      name: 'PostgreSQL is killed and restarted',
      begin: () => postgres.kill(),
      end: () => postgres.restart(),
    },
    {
      ...database,
      name: 'PostgreSQL freezes',
      begin: () => postgres.pause(),
      end: () => postgres.resume(),
    },
    {
      ...database,
      name: 'PostgreSQL accepts no writes',
      begin: () => setReadOnly('on'),
      end: () => setReadOnly('off'),
      unready: /^The database accepts no writes now/,
      cause: /read.only/,
    },
    {
      ...broker,
      name: 'Redis is killed and restarted',
      begin: () => redis.kill(),
      end: () => redis.restart(),
    },
    { ...broker, name: 'Redis freezes', begin: () => redis.pause(), end: () => redis.resume() },
  ];
  it('notices a hung PostgreSQL when nobody asks, and logs that it is back', async () => {
    const settings = {
      DATABASE_URL: await postgres.createDatabase(),
      EVENTS_URL: redis.url,
      LOG_LEVEL: 'warn',
    };
    const service = await startProcess(program, settings);
    const lines = () =>
      service
        .output()
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
        // On a busy machine, Redis may be late too.
        .filter((line) => line['port'] !== Number(new URL(redis.url).port));
    const { port } = new URL(postgres.url('postgres'));
    try {
      await postgres.pause();
      const start = patientNow();
      await until('the outage is logged', () => lines().some(({ level }) => level === 50));
      expect(patientNow() - start).to.be.below(5_500);
      await until('it is down', async () => (await metric(service.url, 'database')) === '0');
      await until('only that is down', async () => (await metric(service.url, 'event broker')) === '1');
      await postgres.resume();
      await until('it is back', () => lines().some(({ dependency }) => dependency === 'database'));
      expect(await metric(service.url, 'database')).to.equal('1');
      const [first, ...others] = lines().filter((line) => 'cause' in line || 'dependency' in line);
      expect(first).to.include({ port: Number(port), msg: 'the service is not ready' });
      expect(others.at(-1)?.['msg']).to.match(/^the database is back after \d+(\.\d)? s$/);
    } finally {
      await postgres.resume();
      service.child.kill();
      await service.exit;
    }
  });

  for (const fault of faults) {
    it(`shows it and keeps what it acknowledged while ${fault.name}`, async () => {
      await drill(program, { DATABASE_URL: await postgres.createDatabase(), EVENTS_URL: redis.url }, fault);
    });
  }
});

async function metric(url: string, dependency: string): Promise<string | undefined> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return new RegExp(`^service_dependency_up\\{dependency="${dependency}"\\} (\\d)$`, 'm').exec(text)?.[1];
}
