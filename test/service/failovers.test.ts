/** The fault drill with failovers: PostgreSQL or Redis is killed, and the service goes on with the standby that is promoted. */
import { rm } from 'node:fs/promises';
import pg from 'pg';
import { compileService } from '../support/compiled-service.js';
import { drill, ofPostgres, ofRedis } from '../support/fault-drill.js';
import { debianPostgres } from '../support/postgres-binaries.js';
import { PostgresServer, sharedPostgres } from '../support/postgres-server.js';
import { redisAbsence } from '../support/redis-server.js';
import { RedisSentinels } from '../support/redis-sentinels.js';

const programs = debianPostgres();
const standbyAbsence = programs === undefined ? 'no pg_basebackup in /usr/lib/postgresql' : undefined;

/** A test, or its title with the reason why it is skipped. */
function testUnless(absence: string | undefined, title: string, test: () => Promise<void>): void {
  if (absence === undefined) it(title, test);
  else it.skip(`${title} (skipped: ${absence})`, test);
}

describe('a service under load whose servers fail over', () => {
  let program = '';
  before(async () => (program = await compileService()));
  after(() => rm(program, { recursive: true }));

  testUnless(standbyAbsence, 'goes on with the promoted standby of PostgreSQL', async () => {
    // Only with synchronous replication has the standby every write that was acknowledged.
    const primary = await PostgresServer.start({ synchronous_standby_names: '*' }, programs);
    const standby = await primary.startStandby(programs ?? '');
    try {
      const hosts = [standby, primary].map((server) => new URL(server.url('')).host).join();
      const url = primary.url('postgres').replace(/@[^/]+/, `@${hosts}`);
      const promote = async (): Promise<void> => {
        const admin = new pg.Client(standby.url('postgres'));
        await admin.connect();
        await admin.query('select pg_promote()');
        await admin.end();
      };
      await drill(
        program,
        { DATABASE_URL: `${url}?target_session_attrs=read-write`, EVENTS_URL: 'memory:' },
        { ...ofPostgres, server: () => primary.url('postgres'), begin: () => primary.kill(), end: promote },
      );
    } finally {
      await Promise.all([primary.stop(), standby.stop()]);
    }
  });

  testUnless(redisAbsence, 'goes on with the Redis that Sentinels promote', async () => {
    // The failover begins when the drill asks for it.
    const redis = await RedisSentinels.start({ count: 1, downAfterMs: 60_000, password: 'a: b' });
    try {
      await drill(
        program,
        { DATABASE_URL: await (await sharedPostgres()).createDatabase(), EVENTS_URL: redis.url },
        {
          ...ofRedis,
          server: () => redis.master.url,
          begin: () => redis.master.kill(),
          end: () => redis.failOver(),
        },
      );
    } finally {
      await redis.stop();
    }
  });
});
