/** Holds the SQLite storage against the conformance suite, and against what only it promises. */
import BetterSqlite3 from 'better-sqlite3';
import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteStorage } from '../../../src/core/storage/sqlite.js';
import { openDatabase } from '../../../src/core/storage/sqlite/open-database.js';
import { SqliteSession } from '../../../src/core/storage/sqlite/session.js';
import { storageChecks } from '../../../src/core/conformance/storage.js';
import { ServiceError } from '../../../src/core/model/error.js';
import { fillStore } from '../../support/fill-store.js';
import { amounts, testBoundedQueries } from './bounded-queries.js';
import { PlanningSession } from './planning-session.js';
import { expectProcessesToShare } from './several-processes.js';

const user = { name: 'Ada', email: 'ada@example.com', role: 'user', status: 'active' } as const;
const now = '2026-01-01T00:00:00.000001Z';

describe('sqliteStorage', () => {
  let directory = '';
  let files = 0;
  before(() => (directory = mkdtempSync(join(tmpdir(), 'concordat-sqlite-'))));
  after(() => {
    rmSync(directory, { recursive: true });
  });
  const newPath = () => join(directory, `${++files}.db`);

  for (const check of storageChecks) {
    it(`${check.level} ${check.id}: ${check.name}`, () =>
      check.run(() => sqliteStorage({ path: newPath() })));
  }

  it('makes the directories above the file, and finds everything again', async () => {
    const path = join(directory, 'not', 'there', 'yet.db');
    const first = await sqliteStorage({ path });
    const created = await first.users.create(user, now);
    await first.close();
    const second = await sqliteStorage({ path });
    expect(await second.users.list({}, { offset: 0, limit: 9 })).to.deep.equal([created]);
    expect(await second.users.count({})).to.equal(1);
    await second.close();
  });

  it('flushes every commit, keeps references, and writes ahead so that readers do not wait', async () => {
    const database = await openDatabase(newPath());
    const settingOf = (name: string) => database.pragma(name, { simple: true });
    expect(settingOf('synchronous'), 'full').to.equal(2);
    expect(settingOf('foreign_keys')).to.equal(1);
    expect(settingOf('journal_mode')).to.equal('wal');
    database.close();
  });

  it('refuses a file that is no database', async () => {
    const path = newPath();
    writeFileSync(path, 'A text, and a long one, that nobody could take for a database.'.repeat(100));
    const failure = await sqliteStorage({ path }).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(Error).with.property('code', 'SQLITE_NOTADB');
  });

  it('refuses a file that a later version has changed', async () => {
    const path = newPath();
    await (await sqliteStorage({ path })).close();
    const database = new BetterSqlite3(path);
    database.exec(`insert into concordat_migrations values ('9999_later', '2099-01-01T00:00:00.000Z')`);
    database.close();
    const failure = await sqliteStorage({ path }).catch((error: unknown) => error);
    expect(failure).to.be.an('error').with.property('message').that.includes('9999_later');
  });

  it('waits for another writer without holding up this process, and writes once that one is done', async () => {
    const path = newPath();
    const storage = await sqliteStorage({ path });
    const other = new BetterSqlite3(path);
    other.exec('begin immediate');
    const created = storage.users.create(user, now);
    const turns: string[] = [];
    const written = created.then(() => turns.push('written'));
    expect(await storage.users.count({}), 'a reader need not wait').to.equal(0);
    turns.push('committed');
    other.exec('commit');
    await storage.close(); // only when the writer that waits is done
    await written;
    expect(turns).to.deep.equal(['committed', 'written']);
    expect(other.prepare('select count(*) as count from users').get()).to.deep.equal({ count: 1 });
    other.close();
  });

  it('says unavailable to whoever calls a closed store', async () => {
    const storage = await sqliteStorage({ path: newPath() });
    await storage.close();
    const failure = await storage.users.find('1').catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(ServiceError).with.property('code', 'unavailable');
  });

  it('lets several processes start and write at once on one new file', async function () {
    this.timeout(30_000);
    await expectProcessesToShare(newPath());
  });

  describe('with many rows', () => {
    let session: PlanningSession;
    before(async () => {
      const path = newPath();
      await (await sqliteStorage({ path })).close();
      const database = new BetterSqlite3(path);
      database.pragma('foreign_keys = on');
      await fillStore({ kind: 'sqlite', execute: (statement) => void database.exec(statement) }, amounts);
      session = new PlanningSession(new SqliteSession(database), 'explain query plan');
    });
    after(() => session.close());

    // A page of orders is read first and joined to its items then: what it calls SCAN orders is that page.
    testBoundedQueries(
      () => session,
      (line) => /^SCAN (users|posts|order_items|products|comments)\b|^SCAN orders USING/.test(line),
    );
  });
});
