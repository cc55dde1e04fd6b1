/** The fault drill: PostgreSQL or Redis stops, freezes or accepts no writes, and comes back. */

import { rm } from 'node:fs/promises';
import pg from 'pg';
import { compileService } from '../support/compiled-service.js';
import { type Fault, drill, ofPostgres, ofRedis } from '../support/fault-drill.js';
import { PostgresServer } from '../support/postgres-server.js';
import { RedisServer, withRedis } from '../support/redis-server.js';

withRedis('a service under load whose foundations break', () => {
  let postgres: PostgresServer;
  let redis: RedisServer;
  let program = '';

  before(async function () {
    this.timeout(60_000);
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
  for (const fault of faults) {
    it(`shows it and keeps what it acknowledged while ${fault.name}`, async function () {
      this.timeout(60_000);
      await drill(program, { DATABASE_URL: await postgres.createDatabase(), EVENTS_URL: redis.url }, fault);
    });
  }
});
