/** A service under load whose PostgreSQL is killed: it goes on with the standby that is promoted, without a restart and without a loss. */
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import pg from 'pg';
import { compileService } from '../support/compiled-service.js';
import { debianPostgres } from '../support/postgres-binaries.js';
import { PostgresServer } from '../support/postgres-server.js';
import { type StartedProcess, startProcess } from '../support/started-process.js';
import { until } from '../support/until.js';

const programs = debianPostgres();
const absence = programs === undefined ? ' (skipped: no pg_basebackup in /usr/lib/postgresql)' : '';

(programs === undefined ? describe.skip : describe)(`a service with a standby${absence}`, function () {
  this.timeout(60_000);
  let primary: PostgresServer;
  let standby: PostgresServer;
  let service: StartedProcess;
  let directory = '';
  before(async () => {
    // Only with synchronous replication has the standby every write that was acknowledged.
    primary = await PostgresServer.start({ synchronous_standby_names: '*' }, programs);
    standby = await primary.startStandby(programs ?? '');
    directory = await compileService();
    const hosts = [standby, primary].map((server) => new URL(server.url('')).host).join();
    const url = primary.url('postgres').replace(/@[^/]+/, `@${hosts}`);
    service = await startProcess(directory, { DATABASE_URL: `${url}?target_session_attrs=read-write` });
    expect(service.url, service.output()).not.to.equal('');
  });
  after(async () => {
    service.child.kill('SIGKILL');
    await Promise.all([primary.stop(), standby.stop(), rm(directory, { recursive: true })]);
  });

  const readiness = async (): Promise<number> => (await fetch(`${service.url}/readyz`)).status;

  it('goes on with the promoted standby, and has lost nothing that was acknowledged', async () => {
    const statuses: number[] = [];
    const acknowledged: string[] = [];
    let isWriting = true;
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let number = 0; isWriting; number += 1) {
        const email = `${String(writer)}-${String(number)}@example.com`;
        const body = JSON.stringify({ name: 'Ada', email });
        const headers = { 'content-type': 'application/json' };
        const { status } = await fetch(`${service.url}/api/users`, { method: 'POST', headers, body });
        statuses.push(status);
        if (status === 201) acknowledged.push(email);
        else await sleep(20);
      }
    });
    await until('users are written', () => acknowledged.length > 20);
    expect(await readiness()).to.equal(200);
    await primary.kill();
    await until('it is unready', async () => (await readiness()) === 503);
    const written = acknowledged.length;
    const admin = new pg.Client(standby.url('postgres'));
    await admin.connect();
    const promoted = performance.now();
    await admin.query('select pg_promote()');
    await until('it is ready again', async () => (await readiness()) === 200);
    expect(performance.now() - promoted, 'milliseconds until it was ready').to.be.below(10_000);
    await until('users are written again', () => acknowledged.length > written + 20);
    isWriting = false;
    await Promise.all(writers);

    const { rows } = await admin.query<{ email: string }>('select email from users');
    await admin.end();
    expect(rows.map(({ email }) => email)).to.include.members(acknowledged);
    // 500: whether it was stored is not known, because the primary was killed during a commit.
    for (const status of new Set(statuses)) expect(status).to.be.oneOf([201, 500, 503]);
    expect(statuses.filter((status) => status === 500)).to.have.length.below(5);
  });
});
