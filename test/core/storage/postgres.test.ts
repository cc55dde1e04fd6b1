/** Holds the PostgreSQL storage against the conformance suite on a real server, and against what only it promises. */
import { expect } from 'chai';
import pg from 'pg';
import { postgresStorage } from '../../../src/core/storage/postgres.js';
import { PostgresRunner } from '../../../src/core/storage/postgres/runner.js';
import { storageChecks } from '../../../src/core/conformance/storage/storage.js';
import { ServiceError } from '../../../src/core/model/error.js';
import { fillStore } from '../../support/fill-store.js';
import { until } from '../../support/until.js';
import { PostgresServer, sharedPostgres } from '../../support/postgres-server.js';
import { amounts, testBoundedQueries } from './bounded-queries.js';
import { PlanningRunner } from './planning-runner.js';
import { expectProcessesToShare } from './several-processes.js';
import { bareUser } from '../../support/bare-records.js';
import { everyUser } from '../../../src/core/ports/user-store.js';

const user = { name: 'Ada', email: 'ada@example.com', role: 'user', status: 'active' } as const;
const now = '2026-01-01T00:00:00.000001Z';

describe('postgresStorage', () => {
  let url = '';
  before(async function () {
    this.timeout(60_000);
    url = await newDatabase();
    await (await postgresStorage({ url })).close();
  });

  for (const check of storageChecks) {
    it(`${check.level} ${check.id}: ${check.name}`, () => check.run(() => emptyStorage(url)));
  }

  for (const check of storageChecks.filter(({ id }) => id.includes('-race-'))) {
    it(`passes ${check.id} where the database is set to serializable transactions`, () =>
      check.run(() => emptyStorage(`${url}?options=-c default_transaction_isolation=serializable`)));
  }

  it("uses a caller's pool as it is, and leaves it open", async () => {
    const pool = new pg.Pool({ connectionString: await newDatabase(), options: '-c datestyle=ISO' });
    const storage = await postgresStorage({ pool });
    const created = await storage.users.create({ ...bareUser, ...user }, now);
    expect(created).to.deep.include({ createdAt: now, updatedAt: now });
    await storage.close();
    const { rows } = await pool.query('select created_at from users');
    expect(rows, "the pool's own type parsers are untouched").to.deep.equal([{ created_at: new Date(now) }]);
    expect(pool.idleCount, 'every connection was handed back').to.equal(pool.totalCount);
    await pool.end();
  });

  it('reads times and numbers with any parsers and time zone of a pool', async () => {
    const pool = new pg.Pool({
      connectionString: await newDatabase(),
      options: '-c timezone=America/St_Johns -c datestyle=SQL',
      types: { getTypeParser: () => (text: string) => ({ text }).text },
    });
    const storage = await postgresStorage({ pool });
    const created = await storage.users.create({ ...bareUser, ...user }, now);
    expect(created).to.deep.equal({
      ...user,
      phone: undefined,
      city: undefined,
      id: '1',
      createdAt: now,
      updatedAt: now,
      sessionsFrom: undefined,
      version: 1,
    });
    await storage.close();
    await pool.end();
  });

  it('keeps to the first schema of the search path, and ignores others', async () => {
    const shared = await newDatabase();
    const pool = new pg.Pool({ connectionString: shared });
    await pool.query('create schema one; create schema two');
    await pool.end();
    const [one, two] = await Promise.all(
      ['one', 'two'].map((schema) => postgresStorage({ url: `${shared}?options=-c search_path=${schema}` })),
    );
    await one?.users.create({ ...bareUser, ...user }, now);
    expect([await one?.users.count(everyUser), await two?.users.count(everyUser)]).to.deep.equal([1, 0]);
    await Promise.all([one?.close(), two?.close()]);
  });

  it('counts on after an operator has truncated a table', async () => {
    const address = await newDatabase();
    const storage = await postgresStorage({ url: address });
    await storage.users.create({ ...bareUser, ...user }, now);
    const operator = new pg.Client(address);
    await operator.connect();
    await operator.query('truncate users cascade');
    await operator.end();
    expect(await storage.users.count(everyUser)).to.equal(0);
    await storage.users.create({ ...bareUser, ...user }, now);
    expect(await storage.users.count(everyUser)).to.equal(1);
    await storage.close();
  });

  it('refuses a database that cannot keep every text', async () => {
    const server = await sharedPostgres();
    const admin = new pg.Client(server.url('postgres'));
    await admin.connect();
    await admin.query(`create database latin encoding 'LATIN1' template template0`);
    await admin.end();
    const failure = await postgresStorage({ url: server.url('latin') }).catch((error: unknown) => error);
    expect(failure).to.be.an('error').with.property('message').that.includes('LATIN1');
  });

  it('finishes pending calls before it closes, even more calls than it has connections', async () => {
    const storage = await postgresStorage({ url: await newDatabase() });
    const created = Promise.all(
      Array.from({ length: 40 }, (_, number) =>
        storage.users.create({ ...bareUser, ...user, email: `${number}@example.com` }, now),
      ),
    );
    await storage.close();
    expect(await created).to.have.lengthOf(40);
    const failure = await storage.users.find('1').catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(ServiceError).with.property('code', 'unavailable');
  });

  it('says unavailable while the server is gone, and works again once it is back', async function () {
    this.timeout(60_000);
    const server = await PostgresServer.start();
    const storage = await postgresStorage({ url: await server.createDatabase() });
    const codeOf = (error: unknown) => (error instanceof ServiceError ? error.code : error);
    try {
      const created = await storage.users.create({ ...bareUser, ...user }, now);
      const underWay = Array.from({ length: 12 }, (_, number) =>
        storage.posts.create({ title: `${number}`, content: 'C', authorId: '1' }, now).catch(codeOf),
      );
      await server.kill();
      for (const outcome of await Promise.all(underWay)) {
        if (typeof outcome === 'string') expect(outcome).to.be.oneOf(['unavailable', 'outcome-unknown']);
      }
      // The processes of a server that was killed may answer a last time before they notice.
      for (const ask of [() => storage.users.find('1'), () => storage.ping()]) {
        await until('it says unavailable', async () => (await ask().catch(codeOf)) === 'unavailable');
      }
      await server.restart();
      await storage.ping();
      expect(await storage.users.find('1')).to.deep.equal(created);
    } finally {
      await storage.close();
      await server.stop();
    }
  });

  it('says unavailable where nothing listens', async () => {
    const failure = await postgresStorage({ url: 'postgres://127.0.0.1:1/none' }).catch(
      (error: unknown) => error,
    );
    expect(failure).to.be.instanceOf(ServiceError).with.property('code', 'unavailable');
  });

  it('lets several processes start and write at once on one new database', async function () {
    this.timeout(30_000);
    await expectProcessesToShare(await newDatabase());
  });

  it('imports without reading what it has imported, even into tables that were vacuumed while empty', async () => {
    const pool = new pg.Pool({ connectionString: await newDatabase(), max: 1 });
    const storage = await postgresStorage({ pool });
    await pool.query('vacuum products, categories');
    const product = { name: 'Shears', description: undefined, priceCents: 1, categories: ['Garden'] };
    async function* products() {
      for (let count = 0; count < 2_000; count += 1) yield await Promise.resolve(product);
    }
    expect(await storage.imports.products(products())).to.equal(2_000);
    await pool.query('select pg_stat_force_next_flush()');
    const { rows } = await pool.query(
      "select seq_tup_read::int as read from pg_stat_user_tables where relname = 'products'",
    );
    expect(rows).to.deep.equal([{ read: 0 }]);
    await storage.close();
    await pool.end();
  });

  describe('with many rows', () => {
    let session: PlanningRunner;
    before(async function () {
      this.timeout(30_000);
      const connectionString = await newDatabase();
      await (await postgresStorage({ url: connectionString })).close();
      const pool = new pg.Pool({ connectionString });
      const execute = async (statement: string) => {
        await pool.query(statement);
      };
      await fillStore({ kind: 'postgres', execute }, amounts);
      await execute('analyze');
      session = new PlanningRunner(new PostgresRunner(pool, () => pool.end()), 'explain');
    });
    after(() => session.close());

    testBoundedQueries(
      () => session,
      (line) => /Seq Scan on (users|posts|orders|order_items|products|comments)\b/.test(line),
    );
  });
});

async function newDatabase(): Promise<string> {
  return (await sharedPostgres()).createDatabase();
}

/** A new database for each check would take most of the time. */
async function emptyStorage(url: string): ReturnType<typeof postgresStorage> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`
    delete from users; delete from orders; delete from idempotency_keys; delete from products; delete from categories; delete from api_keys;
    update post_clock set last_id = 0, last_created_at = null`);
  await client.end();
  return await postgresStorage({ url });
}
