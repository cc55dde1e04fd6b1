/** What the service says when it cannot start: one sentence that identifies the fault, and never a password. Real servers refuse it. */

import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import pg from 'pg';
import { freePort } from '../support/free-port.js';
import { PgBouncer, poolerAbsence } from '../support/pgbouncer-server.js';
import { postgresUser } from '../support/postgres-binaries.js';
import { PostgresServer } from '../support/postgres-server.js';
import { RedisServer, redisAbsence } from '../support/redis-server.js';
import { until } from '../support/until.js';
import { run } from './run.js';

const SECRET = 'hunter2hunter2';

/** The message of a start that fails. */
async function faultOf(settings: Readonly<Record<string, string>>): Promise<string> {
  const { exitCode, stdout, stderr } = await run(['serve'], {
    PORT: '0',
    DATABASE_URL: 'memory:',
    START_WAIT: '0',
    ...settings,
  });
  expect([exitCode, stdout]).to.deep.equal([1, '']);
  expect(stderr.trimEnd().split('\n'), stderr).to.have.length(1);
  expect(stderr).not.to.include(SECRET);
  return stderr.trimEnd();
}

describe('the message of a start that fails', () => {
  let postgres: PostgresServer;
  let directory = '';
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'concordat-start-'));
    chmodSync(directory, 0o755);
    postgres = await PostgresServer.start();
  });
  after(async () => {
    await postgres.stop();
    rmSync(directory, { recursive: true });
  });

  /** The address of a database, with changes. */
  function address(change: (url: URL) => void): string {
    const url = new URL(postgres.url('postgres'));
    change(url);
    return url.href;
  }
  const at = (url: string): string => new URL(url).host;

  it('names a port that refuses connections', async () => {
    const closed = `127.0.0.1:${String(await freePort())}`;
    for (const [setting, scheme, server] of [
      ['DATABASE_URL', 'postgres', 'PostgreSQL'],
      ['EVENTS_URL', 'postgres', 'PostgreSQL'],
      ['EVENTS_URL', 'redis', 'Redis'],
    ] as const) {
      const url = `${scheme}://ada:${SECRET}@${closed}${scheme === 'redis' ? '' : '/service'}`;
      expect(await faultOf({ [setting]: url })).to.equal(
        `${server} at ${closed} cannot be used: connect ECONNREFUSED ${closed}; nothing listens there: start it, or correct ${setting}`,
      );
    }
  });

  it('names a wrong password and a database that is not there', async () => {
    const wrong = address((url) => (url.password = SECRET));
    expect(await faultOf({ DATABASE_URL: wrong })).to.equal(
      `PostgreSQL at ${at(wrong)} cannot be used: password authentication failed for user "postgres" (28P01); check the user and the password in DATABASE_URL`,
    );
    const missing = address((url) => (url.pathname = '/nowhere'));
    expect(await faultOf({ DATABASE_URL: missing })).to.equal(
      `PostgreSQL at ${at(missing)} cannot be used: database "nowhere" does not exist (3D000); create the database, or correct DATABASE_URL`,
    );
  });

  (redisAbsence === undefined ? it : it.skip)('names a wrong password of Redis', async () => {
    const redis = await RedisServer.start();
    const admin = new Redis(redis.url);
    await admin.config('SET', 'requirepass', 'correct');
    admin.disconnect();
    const url = redis.url.replace('//', `//:${SECRET}@`);
    expect(await faultOf({ EVENTS_URL: url })).to.match(
      /^Redis at 127\.0\.0\.1:\d+ cannot be used: WRONGPASS .*; check the user and the password in EVENTS_URL$/,
    );
    await redis.kill();
  });

  (redisAbsence === undefined ? it : it.skip)('names a wrong password of Sentinels, and none', async () => {
    const file = join(directory, 'sentinel.conf');
    writeFileSync(file, 'requirepass correct\n');
    const sentinel = await RedisServer.start(file, '--sentinel');
    const url = `${sentinel.url}?sentinel=concordat`;
    for (const [EVENTS_URL, cause] of [
      [url, 'NOAUTH'],
      [`${url}&sentinelPassword=${SECRET}`, 'WRONGPASS'],
    ] as const) {
      expect(await faultOf({ EVENTS_URL })).to.match(
        new RegExp(
          `^Redis at 127\\.0\\.0\\.1:\\d+ cannot be used: .*${cause} .*; check the user and the password in EVENTS_URL$`,
        ),
      );
    }
    await sentinel.kill();
  });

  it('names a certificate that is not trusted, and a server without TLS', async () => {
    const encrypted = address((url) => (url.search = '?sslmode=verify-full'));
    expect(await faultOf({ DATABASE_URL: encrypted })).to.equal(
      `PostgreSQL at ${at(encrypted)} cannot be used: The server does not support SSL connections; it has no TLS: remove sslmode from DATABASE_URL`,
    );
    const [certificate, key] = [join(directory, 'server.crt'), join(directory, 'server.key')];
    const files = ['-keyout', key, '-out', certificate];
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost', '-days', '1', ...files],
      { stdio: 'ignore' },
    );
    chmodSync(key, 0o600);
    const { uid, gid } = postgresUser();
    if (uid !== undefined && gid !== undefined) chownSync(key, uid, gid);
    const admin = new pg.Client(postgres.url('postgres'));
    await admin.connect();
    await admin.query(`alter system set ssl_cert_file = '${certificate}'`);
    await admin.query(`alter system set ssl_key_file = '${key}'`);
    await admin.query('alter system set ssl = on');
    await admin.query('select pg_reload_conf()');
    await admin.end();
    await until('it has TLS', async () =>
      (await faultOf({ DATABASE_URL: encrypted })).includes('certificate'),
    );
    expect(await faultOf({ DATABASE_URL: encrypted })).to.equal(
      `PostgreSQL at ${at(encrypted)} cannot be used: self-signed certificate (DEPTH_ZERO_SELF_SIGNED_CERT); its certificate is not trusted: give that of its authority in NODE_EXTRA_CA_CERTS`,
    );
  });

  const absence = poolerAbsence === undefined ? '' : ` (skipped: ${poolerAbsence})`;
  (poolerAbsence === undefined ? it : it.skip)(`names what PgBouncer refuses${absence}`, async () => {
    const pooler = await PgBouncer.start(postgres.url('postgres'));
    try {
      expect(await faultOf({ DATABASE_URL: pooler.url(postgres.url('postgres')) })).to.match(
        /^PostgreSQL at 127\.0\.0\.1:\d+ cannot be used: unsupported startup parameter: \w+ \(08P01\); this is PgBouncer: set DATABASE_POOLER/,
      );
    } finally {
      pooler.stop();
    }
  });
});
