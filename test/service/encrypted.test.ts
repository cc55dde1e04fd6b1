/** A service whose connections to PostgreSQL and Redis are encrypted, and whose certificates are checked. */
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import { compileService } from '../support/compiled-service.js';
import { freePort } from '../support/free-port.js';
import { postgresUser } from '../support/postgres-binaries.js';
import { PostgresServer } from '../support/postgres-server.js';
import { RedisServer, withRedis } from '../support/redis-server.js';
import { type StartedProcess, startProcess } from '../support/started-process.js';

withRedis('a service with TLS to PostgreSQL and Redis', () => {
  it('is ready if it trusts the certificates, and does not start otherwise', async () => {
    const files = mkdtempSync(join(tmpdir(), 'concordat-tls-'));
    chmodSync(files, 0o755);
    const [cert, key] = [join(files, 'server.crt'), join(files, 'server.key')];
    const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const kind = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1'];
    execFileSync('openssl', ['req', ...kind, ...names, '-keyout', key, '-out', cert], { stdio: 'ignore' });
    const { uid, gid } = postgresUser();
    if (uid !== undefined && gid !== undefined) chownSync(key, uid, gid);
    const tls = { ssl: 'on', ssl_cert_file: cert, ssl_key_file: key };
    const [postgres, redis, directory] = await Promise.all([
      PostgresServer.start(tls),
      freePort().then(async (tlsPort) => ({
        tlsPort,
        server: await RedisServer.start(
          ...['--tls-port', String(tlsPort), '--tls-auth-clients', 'no'],
          ...['--tls-cert-file', cert, '--tls-key-file', key, '--tls-ca-cert-file', cert],
        ),
      })),
      compileService(),
    ]);
    const started: StartedProcess[] = [];
    try {
      const variables = {
        DATABASE_URL: `${postgres.url('postgres')}?sslmode=verify-full`,
        EVENTS_URL: `rediss://127.0.0.1:${String(redis.tlsPort)}`,
      };
      const trusting = await startProcess(directory, { ...variables, NODE_EXTRA_CA_CERTS: cert });
      started.push(trusting);
      expect((await fetch(`${trusting.url}/readyz`)).status, trusting.output()).to.equal(200);
      const admin = new pg.Client(postgres.url('postgres'));
      await admin.connect();
      const { rows } = await admin.query(
        `select distinct ssl from pg_stat_ssl join pg_stat_activity using (pid) where application_name like 'concordat%'`,
      );
      await admin.end();
      expect(rows).to.deep.equal([{ ssl: true }]);
      for (const EVENTS_URL of [variables.EVENTS_URL, 'memory:']) {
        const other = EVENTS_URL === 'memory:' ? variables.DATABASE_URL : 'memory:';
        const doubting = await startProcess(directory, { DATABASE_URL: other, EVENTS_URL });
        started.push(doubting);
        expect([doubting.url, await doubting.exit]).to.deep.equal(['', 1]);
        expect(doubting.output()).to.include('its certificate is not trusted');
      }
    } finally {
      for (const { child } of started) child.kill('SIGKILL');
      await Promise.all([postgres.stop(), redis.server.kill()]);
      rmSync(directory, { recursive: true });
      rmSync(files, { recursive: true });
    }
  });
});
