/** Tests that a copy made under load has what was acknowledged, and replaces the store of a killed service. */

import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { everyUser } from '../../src/core/ports/user-store.js';
import { DatabaseSync } from '../../src/core/storage/sqlite/driver.js';
import { restoreSqlite, sqliteStorage } from '../../src/core/storage/sqlite.js';
import { ServiceProcess } from '../crash/service-process.js';
import { compileService, serviceProgram } from '../support/compiled-service.js';
import { type Run, run, useDirectory } from './run.js';

describe('backup and restore', () => {
  const at = useDirectory();
  let directory = '';
  before(async () => (directory = await compileService()));
  after(() => {
    rmSync(directory, { recursive: true });
  });
  const env = { DATABASE_URL: `sqlite:${at('service.db')}` };

  /** Creates users until the service ends. @returns the ids that were acknowledged so far, and the end */
  function load(url: string): { readonly acknowledged: Set<string>; readonly ended: Promise<void> } {
    const acknowledged = new Set<string>();
    const write = async (writer: number): Promise<void> => {
      for (let number = 0; ; number += 1) {
        const email = `a${String(writer)}.${String(number)}@example.com`;
        const answer = await fetch(`${url}/api/users`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ name: 'Ada', email }),
        });
        if (answer.status === 201) acknowledged.add(((await answer.json()) as { id: string }).id);
      }
    };
    const writers = [1, 2, 3, 4].map((writer) => write(writer).catch(() => undefined));
    return { acknowledged, ended: Promise.all(writers).then(() => undefined) };
  }

  /** Runs a command in a process of its own: in this one, SQLite would keep a closed store open until the next garbage collection. */
  function runApart(parameters: readonly string[]): Promise<Run> {
    return new Promise((resolve) => {
      const program = [serviceProgram(directory), ...parameters];
      execFile(process.execPath, program, { env }, (error, stdout, stderr) => {
        resolve({ exitCode: error === null ? 0 : Number(error.code), stdout, stderr });
      });
    });
  }

  async function idsIn(path: string): Promise<Set<string>> {
    const storage = await sqliteStorage({ path });
    const users = await storage.users.list(everyUser, { after: undefined, limit: 1_000_000 });
    expect(await storage.users.count(everyUser), 'the counter').to.equal(users.length);
    await storage.close();
    return new Set(users.map(({ id }) => id));
  }

  it('survive kill -9 under load: the copy has all that was acknowledged before it', async () => {
    const service = await ServiceProcess.start(directory, env.DATABASE_URL);
    const { acknowledged, ended } = load(service.url);
    while (acknowledged.size < 100) await setTimeout(5);
    const before = [...acknowledged];
    const copied = await runApart(['backup', at('copy.db')]);
    expect(copied).to.deep.equal({
      exitCode: 0,
      stdout: `Copied ${at('service.db')} to ${at('copy.db')}\n`,
      stderr: '',
    });
    expect(acknowledged.size, 'writers go on').to.be.greaterThan(before.length);
    const used = await runApart(['restore', at('copy.db')]);
    expect(used).to.deep.include({
      exitCode: 1,
      stderr: `${at('service.db')} is in use: stop the service first\n`,
    });
    while (acknowledged.size < before.length + 100) await setTimeout(5);
    await service.kill();
    await ended;

    expect(await runApart(['restore', at('copy.db')])).to.deep.equal({
      exitCode: 0,
      stdout: `Restored ${at('service.db')} from ${at('copy.db')}, and kept the store before as ${at('service.db.replaced')}\n`,
      stderr: '',
    });
    expect(statSync(at('service.db')).mode & 0o777).to.equal(0o600);
    const restored = await idsIn(at('service.db'));
    expect(
      before.filter((id) => !restored.has(id)),
      'acknowledged before the copy',
    ).to.deep.equal([]);
    const replaced = await idsIn(at('service.db.replaced'));
    expect(
      [...acknowledged].filter((id) => !replaced.has(id)),
      'acknowledged at all',
    ).to.deep.equal([]);
    expect(
      [...restored].filter((id) => !replaced.has(id)),
      'never written',
    ).to.deep.equal([]);
    const { stdout } = await run(['audit', '--action', 'command'], env);
    expect(stdout).to.match(/\tcommand line\tdone\trestore\n$/);

    const again = await ServiceProcess.start(directory, env.DATABASE_URL);
    const more = load(again.url);
    // Some writes are in flight when it is killed.
    await setTimeout(50);
    await again.kill();
    await more.ended;
  });

  it('keep every store that a restore replaces, however often it is repeated', () => {
    const other = at('other.db');
    copyFileSync(at('copy.db'), other);
    const kept: Buffer[] = [];
    for (const end of ['', '-2', '-3']) {
      const changed = new DatabaseSync(other);
      changed.exec(`pragma user_version = ${String(kept.length + 1)}`);
      changed.close();
      kept.push(readFileSync(other));
      expect(restoreSqlite(at('copy.db'), other)).to.equal(`${other}.replaced${end}`);
    }
    const files = ['', '-2', '-3'].map((end) => readFileSync(`${other}.replaced${end}`));
    expect(files.map((file, index) => kept[index]?.equals(file))).to.deep.equal([true, true, true]);
  });

  it('refuse what they cannot use, and change nothing', async () => {
    const whole = readFileSync(at('copy.db'));
    writeFileSync(at('cut.db'), whole.subarray(0, whole.length / 2));
    writeFileSync(at('text.db'), 'no database');
    const present = readFileSync(at('service.db'));
    for (const file of ['cut.db', 'text.db', 'missing.db']) {
      const { exitCode, stderr } = await run(['restore', at(file)], env);
      expect(exitCode, file).to.equal(1);
      expect(stderr, file).to.match(/(?:is not a whole database of this service: .*|does not exist)\n$/);
    }
    expect(readFileSync(at('service.db')).equals(present)).to.equal(true);
    expect((await run(['backup', at('copy.db')], env)).stderr).to.equal(`${at('copy.db')} exists already\n`);
    expect(readFileSync(at('copy.db')).equals(whole)).to.equal(true);
    const absent = { DATABASE_URL: `sqlite:${at('absent.db')}` };
    expect((await run(['backup', at('new.db')], absent)).stderr).to.equal(
      `${at('absent.db')} does not exist\n`,
    );
    expect(existsSync(at('absent.db'))).to.equal(false);
    const postgres = await run(['backup', at('new.db')], { DATABASE_URL: 'postgres://u@localhost/d' });
    expect(postgres.stderr).to.match(/^DATABASE_URL is PostgreSQL: use pg_dump and pg_restore/);
  });
});
