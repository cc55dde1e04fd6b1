/**
 * The procedures of the guide for a PostgreSQL store, with its commands: a service under load is killed with its database, and goes on
 * with a dump, or with the state of a chosen moment.
 */

import { execFile } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import pg from 'pg';
import { readContents } from '../crash/contents.js';
import { ServiceProcess } from '../crash/service-process.js';
import { block } from '../package/readme-blocks.js';
import { compileService, serviceProgram } from '../support/compiled-service.js';
import { debianPostgres, postgresUser } from '../support/postgres-binaries.js';
import { PostgresServer } from '../support/postgres-server.js';
import { RecordedLoad, type Write, sendWrite } from '../support/recorded-load.js';
import { until } from '../support/until.js';

const programs = debianPostgres() ?? '';
const absence = programs === '' ? ' (skipped: no pg_basebackup in /usr/lib/postgresql)' : '';

(programs === '' ? describe.skip : describe)(`the backup of a PostgreSQL store${absence}`, () => {
  let directory = '';
  let program = '';
  let server: PostgresServer;
  before(async () => {
    [program, directory] = [await compileService(), mkdtempSync(join(tmpdir(), 'concordat-backup-'))];
    chmodSync(directory, 0o755);
    const archive = join(directory, 'backup', 'wal');
    mkdirSync(archive, { recursive: true });
    const { uid, gid } = postgresUser();
    if (uid !== undefined && gid !== undefined) chownSync(archive, uid, gid);
    const command = `#!/bin/sh\nexec "${process.execPath}" "${serviceProgram(program)}" "$@"\n`;
    writeFileSync(join(directory, 'concordat-service'), command, { mode: 0o755 });
    server = await PostgresServer.start({ ...archiveSettings(), archive_timeout: '1' }, programs);
  });
  after(async () => {
    await server.stop();
    for (const each of [program, directory]) rmSync(each, { recursive: true });
  });

  /** The settings of the guide. */
  function archiveSettings(): Record<string, string> {
    const lines = here(block('postgresql.conf')).matchAll(/^(\w+) = '?(.*?)'?$/gm);
    return Object.fromEntries([...lines].map(([, name = '', value = '']) => [name, value]));
  }

  /** A block of the guide, with the directories of this test. */
  function here(text: string): string {
    return text.replaceAll('/backup', join(directory, 'backup'));
  }

  /** Runs a block of the guide. @returns its output */
  async function sh(script: string, DATABASE_URL: string): Promise<string> {
    const PATH = [directory, programs, process.env['PATH']].join(':');
    const options = { cwd: directory, env: { PATH, DATABASE_URL } };
    const { stdout } = await promisify(execFile)('/bin/sh', ['-e', '-c', here(script)], options);
    return stdout;
  }

  async function query<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
    const client = new pg.Client(url);
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  }

  /**
   * Checks a store with a service on it: it has every write that was acknowledged before the copy began, and none that was sent after
   * it ended; its totals are right, and its ids and idempotency keys go on.
   */
  async function expectState(url: string, load: RecordedLoad, began: number, ended: number): Promise<void> {
    const service = await ServiceProcess.start(program, url);
    try {
      const stored = await readStore(service.url, url);
      const before = load.acknowledged(began);
      for (const { collection, key, id } of before)
        expect(stored[collection].get(key), `${collection} ${key}`).to.equal(id);
      for (const { collection, key, startedAt } of load.writes)
        if (startedAt > ended) expect(stored[collection].has(key), `${collection} ${key}`).to.equal(false);
      const count = Object.values(stored).reduce((sum, { size }) => sum + size, 0);
      expect(count, 'records').to.be.within(before.length, load.writes.length);

      for (const write of before.filter(({ collection }) => collection !== 'posts').slice(-2)) {
        const answer = await sendWrite(service.url, write);
        expect(answer.headers.get('idempotency-replayed'), write.key).to.equal('true');
        expect(((await answer.json()) as { readonly id: string }).id).to.equal(write.id);
      }
      const later = new RecordedLoad(service.url, 'later');
      await later.more(12);
      await later.stop();
      for (const { collection, key, id } of later.acknowledged()) {
        const largest = Math.max(...[...stored[collection].values()].map(Number));
        expect(Number(id), `${collection} ${key}`).to.be.above(largest);
      }
      await readStore(service.url, url);
    } finally {
      await service.kill();
    }
  }

  /** The ids of all records by the keys of the writes that made them. */
  async function readStore(
    serviceUrl: string,
    url: string,
  ): Promise<Readonly<Record<Write['collection'], ReadonlyMap<string, string>>>> {
    const { users, orders } = await readContents(serviceUrl);
    const posts = await query<{ id: string; title: string }>(
      url,
      'select id, title from posts order by created_at',
    );
    const ids = posts.map(({ id }) => Number(id));
    expect(ids, 'posts in the order of their times').to.deep.equal(ids.toSorted((one, two) => one - two));
    const itemOf = ({ items }: Readonly<Record<string, unknown>>) =>
      (items as readonly { readonly name: string }[])[0]?.name ?? '';
    return {
      users: new Map([...users.values()].map((user) => [String(user['email']).replace(/@.*/, ''), user.id])),
      orders: new Map([...orders.values()].map((order) => [itemOf(order), order.id])),
      posts: new Map(posts.map(({ id, title }) => [title, id])),
    };
  }

  it('has all that was acknowledged before the dump', async () => {
    const url = await server.createDatabase();
    const service = await ServiceProcess.start(program, url);
    const load = new RecordedLoad(service.url, 'dumped');
    await load.more(100);
    const began = performance.now();
    await sh(block('dump the database'), url);
    const ended = performance.now();
    expect(load.acknowledged().length, 'writers go on').to.be.above(load.acknowledged(began).length);
    await load.more(50);
    await Promise.all([service.kill(), server.kill()]);
    await load.ended();
    await server.restart();

    const empty = await server.createDatabase();
    expect(await sh(block('restore the dump'), empty)).to.match(/: up to date already\n$/);
    await expectState(empty, load, began, ended);
  });

  it('has all that was acknowledged before a moment, and nothing from after it', async () => {
    const url = await server.createDatabase();
    const service = await ServiceProcess.start(program, url);
    const load = new RecordedLoad(service.url, 'archived');
    await load.more(50);
    await sh(block('copy the server'), url);
    await load.more(100);
    const began = performance.now();
    const [moment] = await query<{ now: string }>(
      url,
      `select to_char(clock_timestamp(), 'YYYY-MM-DD HH24:MI:SS.USOF') as now`,
    );
    const ended = performance.now();
    await load.more(50);
    const [segment] = await query<{ name: string }>(
      url,
      'select pg_walfile_name(pg_current_wal_lsn()) as name',
    );
    await until('the log is archived', async () => {
      const [last] = await query<{ name: string }>(
        url,
        'select last_archived_wal as name from pg_stat_archiver',
      );
      return String(last?.name) >= String(segment?.name);
    });
    await Promise.all([service.kill(), server.kill()]);
    await load.ended();

    const recovered = await server.startCopy(programs, async (data) => {
      const script = block('recover the server').replaceAll('/var/lib/postgresql/recovered', data);
      await sh(script.replace(/(?<=recovery_target_time = ').*(?=')/, String(moment?.now)), url);
    });
    try {
      const copy = recovered.url(new URL(url).pathname.slice(1));
      await until(
        'it is recovered',
        async () => (await query(copy, 'select pg_is_in_recovery() as r'))[0]?.['r'] === false,
      );
      expect(await sh('concordat-service migrate --dry-run', copy)).to.match(/: up to date already\n$/);
      await expectState(copy, load, began, ended);
    } finally {
      await recovered.stop();
      await server.restart();
    }
  });
});
