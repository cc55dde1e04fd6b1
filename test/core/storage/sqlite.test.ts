/** Holds the SQLite storage against the conformance suite, and against what only it promises. */
import { DatabaseSync } from '../../../src/core/storage/sqlite/driver.js';
import { expect } from 'chai';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { sqlStorage } from '../../../src/core/storage/sql/storage.js';
import { sqliteStorage } from '../../../src/core/storage/sqlite.js';
import { openDatabase } from '../../../src/core/storage/sqlite/connection.js';
import { SqliteRunner } from '../../../src/core/storage/sqlite/runner.js';
import { SqliteError } from '../../../src/core/storage/sqlite/errors.js';
import { storageChecks } from '../../../src/core/conformance/storage/storage.js';
import { contractOfChecks } from '../../../src/core/conformance/storage/stored.js';
import { ServiceError } from '../../../src/core/model/error.js';
import { fillStore } from '../../support/fill-store.js';
import { amounts, testBoundedQueries } from './bounded-queries.js';
import { PlanningRunner } from './planning-runner.js';
import { expectProcessesToShare } from './several-processes.js';
import { bareUser } from '../../support/bare-records.js';
import { migrations } from '../../../src/core/storage/sql/migrations/migrations.js';
import { everyUser } from '../../../src/core/ports/user-store.js';
import type { StoreTransaction } from '../../../src/core/ports/transaction.js';

const user = { ...bareUser, name: 'Ada', email: 'ada@example.com', role: 'user', status: 'active' } as const;
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
      check.run(() => sqliteStorage({ path: newPath(), contract: contractOfChecks })));
  }

  // The others use one connection, which a database in memory has like a file.
  for (const check of storageChecks.filter(({ id }) => id.startsWith('transaction-'))) {
    it(`${check.level} ${check.id} in memory: ${check.name}`, () =>
      check.run(() => sqliteStorage({ path: ':memory:', contract: contractOfChecks })));
  }

  it('has one database in memory per storage, also where a hook adds statements to a write', async () => {
    const [one, other] = await Promise.all([1, 2].map(() => sqliteStorage({ path: ':memory:' })));
    const product = { name: 'A', description: undefined, priceCents: 1 };
    let rows: readonly unknown[] = [];
    await one?.transaction(async ({ products, query }) => {
      await products.create(product);
      ({ rows } = await query('select name from products'));
    });
    expect(rows).to.deep.equal([{ name: 'A' }]);
    expect([await one?.products.count(), await other?.products.count()]).to.deep.equal([1, 0]);
    await Promise.all([one?.close(), other?.close()]);
    const later = await sqliteStorage({ path: ':memory:' });
    expect(await later.products.count(), 'a closed one leaves nothing').to.equal(0);
    await later.close();
  });

  it('makes the directories above the file, and finds everything again', async () => {
    const path = join(directory, 'not', 'there', 'yet.db');
    const first = await sqliteStorage({ path });
    const created = await first.users.create(user, now);
    await first.close();
    const second = await sqliteStorage({ path });
    expect(await second.users.list(everyUser, { offset: 0, limit: 9 })).to.deep.equal([created]);
    expect(await second.users.count(everyUser)).to.equal(1);
    await second.close();
  });

  it('flushes every commit, keeps references, and writes ahead so that readers do not wait', async () => {
    const database = await openDatabase(newPath());
    const settingOf = (name: string) => database.execute(`pragma ${name}`);
    expect(settingOf('synchronous'), 'full').to.deep.equal([{ synchronous: 2 }]);
    expect(settingOf('foreign_keys')).to.deep.equal([{ foreign_keys: 1 }]);
    expect(settingOf('journal_mode')).to.deep.equal([{ journal_mode: 'wal' }]);
    database.close();
  });

  it('refuses a file that is not a database', async () => {
    const path = newPath();
    writeFileSync(path, 'A text, and a long one, that is certainly not a database.'.repeat(100));
    const failure = await sqliteStorage({ path }).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(Error).with.property('code', 'SQLITE_NOTADB');
    expect(failure).to.have.property('message', `${path}: file is not a database`);
  });

  it('names a path that cannot be opened', async () => {
    const folder = dirname(newPath());
    const failure = await sqliteStorage({ path: folder }).catch((error: unknown) => error);
    expect(failure)
      .to.be.instanceOf(Error)
      .with.property('message')
      .that.matches(/unable to open/)
      .and.includes(folder);
  });

  it('waits for another writer without holding up this process, and writes once that one is done', async () => {
    const path = newPath();
    const storage = await sqliteStorage({ path });
    const other = new DatabaseSync(path);
    other.exec('begin immediate');
    const created = storage.users.create(user, now);
    const turns: string[] = [];
    const written = created.then(() => turns.push('written'));
    expect(await storage.users.count(everyUser), 'a reader need not wait').to.equal(0);
    turns.push('committed');
    other.exec('commit');
    await storage.close(); // only when the writer that waits is done
    await written;
    expect(turns).to.deep.equal(['committed', 'written']);
    expect(other.prepare('select count(*) as count from users').get()).to.include({ count: 1 });
    other.close();
  });

  it('rejects calls of a closed store with unavailable', async () => {
    const storage = await sqliteStorage({ path: newPath() });
    await storage.close();
    const failure = await storage.users.find('1').catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(ServiceError).with.property('code', 'unavailable');
  });

  it('fails when the disk is full, keeps exactly the acknowledged writes, and works again once there is room', async () => {
    const path = newPath();
    const database = await openDatabase(path);
    const storage = sqlStorage(new SqliteRunner(database));
    const author = await storage.users.create(user, now);
    if (author === 'email-taken') throw new Error('the store is new');
    const post = { title: 'Long', content: 'x'.repeat(10_000), authorId: author.id };
    database.execute('pragma max_page_count = 100');
    let acknowledged = 0;
    const fill = async (): Promise<never> => {
      for (; ; acknowledged++) await storage.posts.create(post, now);
    };
    const failure = await fill().catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(ServiceError).with.property('code', 'storage-full');
    expect(failure).to.have.property('cause').that.is.instanceOf(SqliteError);
    expect(await storage.users.find(author.id), 'reads work').to.deep.equal(author);
    expect(await storage.ping().catch((error: unknown) => error)).to.have.property('code', 'storage-full');
    expect(acknowledged).to.be.greaterThan(0);
    const other = await sqliteStorage({ path });
    expect(await other.posts.listSince(undefined, 100)).to.have.length(acknowledged);
    await other.close();
    database.execute('pragma max_page_count = 1000');
    await storage.ping();
    const next = await storage.posts.create(post, now);
    expect(next).to.have.property('id', String(acknowledged + 1));
    await storage.close();
  });

  it('fails its ping after a write was refused as read-only, until one is not', async () => {
    const database = await openDatabase(newPath());
    const storage = sqlStorage(new SqliteRunner(database));
    database.execute('pragma query_only = on');
    const message = 'The database accepts no writes now: try again later';
    const refused = await storage.users.create(user, now).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(ServiceError).and.to.include({ code: 'unavailable', message });
    expect(await storage.ping().catch((error: unknown) => error)).to.include({ message });
    database.execute('pragma query_only = off');
    await storage.ping();
    expect(await storage.users.create(user, now)).to.have.property('id', '1');
    await storage.close();
  });

  it('uses no connection again in which a hook leaves something', async () => {
    const storage = await sqliteStorage({ path: newPath() });
    const write = (statement: string) =>
      storage.transaction(async ({ products, query }) => {
        await products.create({ name: 'A', description: undefined, priceCents: 1 });
        await query(statement);
      });
    for (const statement of [
      'create temp table own (a)',
      'pragma query_only = on',
      'create temp table own (a)',
    ])
      await write(statement);
    expect(await storage.products.count()).to.equal(3);
    await storage.close();
  });

  it('fails its ping while a migration has not run', async () => {
    const path = newPath();
    const storage = await sqliteStorage({ path });
    const other = new DatabaseSync(path);
    for (const change of [
      "delete from concordat_migrations where name = '0001_first_release'",
      'drop table concordat_migrations',
    ]) {
      await storage.ping();
      other.exec('begin');
      other.exec(change);
      other.exec('commit');
      const failure = await storage.ping().catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(ServiceError);
      expect((failure as Error).message).to.match(
        /^The tables of the database are out of date: 0001_first_release\b.* not run$/,
      );
      other.exec('create table if not exists concordat_migrations (name text, timestamp text)');
      for (const name of Object.keys(migrations))
        other.exec(`insert or ignore into concordat_migrations values ('${name}', '')`);
    }
    other.close();
    await storage.close();
  });

  it('keeps every digit of integers beyond 2^53', async () => {
    const path = newPath();
    const storage = await sqliteStorage({ path });
    await storage.users.create(user, now);
    const other = new DatabaseSync(path);
    other.exec('update users set id = 9007199254740993'); // 2^53 + 1, which no number is
    other.exec("update sqlite_sequence set seq = 9007199254740993 where name = 'users'");
    other.close();
    expect(await storage.users.find('9007199254740993')).to.include({ id: '9007199254740993', version: 1 });
    const next = await storage.users.create({ ...user, email: 'grace@example.com' }, now);
    expect(next).to.have.property('id', '9007199254740994');
    const users = await storage.users.list(everyUser, { offset: 0, limit: 9 });
    expect(users.map(({ id }) => id)).to.deep.equal(['9007199254740993', '9007199254740994']);
    await storage.close();
  });

  it('refuses a text with U+0000, where SQLite would cut it', async () => {
    const storage = await sqliteStorage({ path: newPath() });
    const cut = { ...user, name: 'Ada\u0000Lovelace' };
    const failure = await storage.users.create(cut, now).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(TypeError);
    expect(await storage.users.count(everyUser)).to.equal(0);
    await storage.close();
  });

  it('leaves the whole store in its file when it closes', async () => {
    const path = newPath();
    const storage = await sqliteStorage({ path });
    const created = await storage.users.create(user, now);
    await storage.close();
    const copy = newPath();
    copyFileSync(path, copy); // without the write-ahead log
    const copied = await sqliteStorage({ path: copy });
    expect(await copied.users.list(everyUser, { offset: 0, limit: 9 })).to.deep.equal([created]);
    await copied.close();
  });

  it('opens one connection for all writes with other work, and another after one that failed', async () => {
    const path = newPath();
    let opened = 0;
    const statement = (sql: string) => void (opened += Number(sql === 'pragma journal_mode = wal'));
    const storage = await sqliteStorage({ path, observer: { statement } });
    const write = (name: string, work: (query: StoreTransaction['query']) => Promise<unknown>) =>
      storage.transaction(async ({ products, query }) => {
        await products.create({ name, description: undefined, priceCents: 1 });
        await work(query);
      });
    await write('A', (query) => query('create table own (a)'));
    await write('B', (query) => query('select * from own'));
    await write('C', (query) => query('alter table own add column b default 2'));
    await write('D', (query) => query('insert into own values (1, 2)'));
    let rows: readonly unknown[] = [];
    await write('E', async (query) => ({ rows } = await query('select * from own')));
    expect(rows).to.deep.equal([{ a: 1, b: 2 }]);
    expect(opened).to.equal(2);
    const failed = write('F', () => Promise.reject(new Error('no room')));
    expect(await failed.catch(String)).to.equal('Error: no room');
    await write('G', () => Promise.resolve());
    expect(opened).to.equal(3);
    const listed = await storage.products.list({ offset: 0, limit: 9 });
    expect(listed.map(({ name }) => name)).to.deep.equal(['A', 'B', 'C', 'D', 'E', 'G']);
    await storage.close();
    const copy = newPath();
    copyFileSync(path, copy);
    const again = await sqliteStorage({ path: copy });
    expect(await again.products.count()).to.equal(6);
    await again.close();
  });

  it('lets several processes start and write at once on one new file', async () => {
    await expectProcessesToShare(newPath());
  });

  describe('with many rows', () => {
    let session: PlanningRunner;
    before(async () => {
      const database = await openDatabase(newPath());
      await fillStore({ kind: 'sqlite', execute: (statement) => void database.execute(statement) }, amounts);
      session = new PlanningRunner(new SqliteRunner(database), 'explain query plan');
    });
    after(() => session.close());

    // A page of orders is read first and joined to its items then: what it calls SCAN orders is that page.
    testBoundedQueries(
      () => session,
      (line) =>
        /^SCAN (users|posts|order_items|products|comments|outbox_deliveries|first|earlier|one)\b(?!.*USING INDEX outbox_settled_index)|^SCAN orders USING/.test(
          line,
        ),
    );
  });
});
