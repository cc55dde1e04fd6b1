/** Holds the PostgreSQL storage against the conformance suite on a real server, and against what only it promises. */
import { expect } from 'chai';
import pg from 'pg';
import { postgresStorage } from '../../../src/core/storage/postgres.js';
import { PostgresRunner } from '../../../src/core/storage/postgres/runner.js';
import { storageChecks } from '../../../src/core/conformance/storage/storage.js';
import { contractOfChecks } from '../../../src/core/conformance/storage/stored.js';
import { ServiceError } from '../../../src/core/model/error.js';
import { fillStore } from '../../support/fill-store.js';
import { until } from '../../support/until.js';
import { PostgresServer, sharedPostgres } from '../../support/postgres-server.js';
import { amounts, testBoundedQueries } from './bounded-queries.js';
import { PlanningRunner } from './planning-runner.js';
import { emptyPostgres } from './open-store.js';
import { expectProcessesToShare } from './several-processes.js';
import { bareUser } from '../../support/bare-records.js';
import { migrations } from '../../../src/core/storage/sql/migrations/migrations.js';
import type { Storage } from '../../../src/core/ports/storage.js';
import { everyUser, unchangedUser } from '../../../src/core/ports/user-store.js';
import { patientNow } from '../../support/durations.js';

const user = { name: 'Ada', email: 'ada@example.com', role: 'user', status: 'active' } as const;
const now = '2026-01-01T00:00:00.000001Z';

/** Ends the other connections to a database. */
const cutOthers = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`;

describe('postgresStorage', () => {
  let url = '';
  before(async () => {
    url = await newDatabase();
    await (await postgresStorage({ url })).close();
  });

  for (const check of storageChecks) {
    it(`${check.level} ${check.id}: ${check.name}`, () =>
      check.run(() => emptyPostgres(url, { url, contract: contractOfChecks })));
  }

  for (const check of storageChecks.filter(({ id }) => id.includes('-race-'))) {
    it(`passes ${check.id} where the database is set to serializable transactions`, () =>
      check.run(() =>
        emptyPostgres(url, { url: `${url}?options=-c default_transaction_isolation=serializable` }),
      ));
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

  it('says unavailable while the server is gone, and works again once it is back', async () => {
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

  describe('ping', () => {
    const faultOf = async (storage: Storage): Promise<unknown> =>
      await storage.ping().catch((error: unknown) => (error instanceof ServiceError ? error.message : error));

    it('rejects while the database accepts no writes, or a migration has not run', async () => {
      const url = await newDatabase();
      const name = new URL(url).pathname.slice(1);
      const storage = await postgresStorage({ url });
      const admin = new pg.Client(url);
      await admin.connect();
      try {
        expect(await faultOf(storage)).to.equal(undefined);
        await admin.query(`alter database ${name} set default_transaction_read_only = on`);
        await admin.query(cutOthers);
        const readOnly = 'The database accepts no writes now: try again later';
        await until('it is read-only', async () => (await faultOf(storage)) === readOnly);
        const refused = await storage.users
          .create({ ...bareUser, ...user }, now)
          .catch((error: unknown) => error);
        expect(refused).to.be.instanceOf(ServiceError).with.property('message', readOnly);
        await admin.query(`alter database ${name} reset default_transaction_read_only`);
        await admin.query(cutOthers);
        await until('it accepts writes', async () => (await faultOf(storage)) === undefined);

        const [last = ''] = Object.keys(migrations).slice(-1);
        await admin.query('delete from concordat_migrations where name = $1', [last]);
        const outdated = `The tables of the database are out of date: ${last} has not run`;
        expect(await faultOf(storage)).to.equal(outdated);
        await admin.query('drop table concordat_migrations');
        expect(await faultOf(storage)).to.match(
          /^The tables of the database are out of date: 0001_first_release, .* have not run$/,
        );
      } finally {
        await admin.end();
        await storage.close();
      }
    });

    it('waits for no other work, even when it holds every connection', async () => {
      const url = await newDatabase();
      const storage = await postgresStorage({ url });
      const admin = new pg.Client(url);
      await admin.connect();
      try {
        await admin.query('begin');
        await admin.query('lock table users');
        const waiting = Array.from({ length: 30 }, () => storage.users.find('1').catch(() => undefined));
        const start = patientNow();
        await storage.ping();
        expect(patientNow() - start).to.be.below(1000);
        await admin.query('rollback');
        await Promise.all(waiting);
      } finally {
        await admin.end();
        await storage.close();
      }
    });
  });

  it('reports the error of an idle connection that breaks, with the address of the server', async () => {
    const url = await newDatabase();
    const errors: Error[] = [];
    const storage = await postgresStorage({ url, onConnectionError: (error) => errors.push(error) });
    const admin = new pg.Client(url);
    await admin.connect();
    await admin.query(cutOthers);
    await admin.end();
    await until('it is reported', () => errors.length > 0);
    const { hostname: host, port } = new URL(url);
    expect(errors[0]).to.include({ code: '57P01', host, port: Number(port) });
    await storage.close();
  });

  it('says unavailable where nothing listens', async () => {
    const failure = await postgresStorage({ url: 'postgres://127.0.0.1:1/none' }).catch(
      (error: unknown) => error,
    );
    expect(failure).to.be.instanceOf(ServiceError).with.property('code', 'unavailable');
  });

  it('lets several processes start and write at once on one new database', async () => {
    await expectProcessesToShare(await newDatabase());
  });

  it('imports without reading what it has imported, even into tables that were vacuumed while empty', async () => {
    const pool = new pg.Pool({ connectionString: await newDatabase(), max: 1 });
    const storage = await postgresStorage({ pool });
    await pool.query('vacuum products, categories');
    const product = {
      table: 'products',
      row: { name: 'Shears', priceCents: 1 },
      parts: { table: 'product_categories', rows: [{ category: 'Garden' }] },
    };
    async function* products() {
      for (let count = 0; count < 2_000; count += 1) yield await Promise.resolve(product);
    }
    expect(await storage.rows.write(products())).to.equal(2_000);
    await pool.query('select pg_stat_force_next_flush()');
    const { rows } = await pool.query(
      "select seq_tup_read::int as read from pg_stat_user_tables where relname = 'products'",
    );
    expect(rows).to.deep.equal([{ read: 0 }]);
    await storage.close();
    await pool.end();
  });

  it('lets others write while an import runs, and counts all of them', async () => {
    const address = await newDatabase();
    const storage = await postgresStorage({ url: address });
    const shards = 16;
    const others = new pg.Pool({ connectionString: address, max: shards * 2 });
    async function* users() {
      for (let number = 0; number < 500; number += 1) {
        const row = { ...bareUser, ...user, email: `${number}@example.com`, createdAt: now, updatedAt: now };
        yield { table: 'users', row };
      }
      const writers = await Promise.all(Array.from({ length: shards * 2 }, () => others.connect()));
      const insert = 'insert into users (name, email, email_key, role, status, created_at, updated_at)';
      await Promise.all(
        writers.map(async (writer, number) => {
          await writer.query("set lock_timeout = '1s'");
          await writer.query(`${insert} values ('B', $1, $1, 'user', 'inactive', now(), now())`, [
            `w${number}`,
          ]);
          writer.release();
        }),
      );
    }
    expect(await storage.rows.write(users())).to.equal(500);
    const count = (status?: string) => storage.users.count({ ...everyUser, status });
    expect([await count(), await count('active'), await count('inactive')]).to.deep.equal([532, 500, 32]);
    await Promise.all([storage.close(), others.end()]);
  });

  it('drops the counter of a city with its last user, whichever connections have counted', async () => {
    const pool = new pg.Pool({ connectionString: await newDatabase(), max: 4 });
    const storage = await postgresStorage({ pool });
    await Promise.all(
      Array.from({ length: 12 }, (_, number) =>
        storage.users.create({ ...bareUser, ...user, email: `${number}@example.com`, city: 'Rome' }, now),
      ),
    );
    for (let id = 1; id <= 12; id += 1) {
      if (id % 2 === 0) await storage.users.delete(String(id));
      else await storage.users.update(String(id), { ...unchangedUser, city: null }, now);
    }
    const { rows } = await pool.query("select table_name from counters where table_name like '%Rome'");
    expect(rows).to.deep.equal([]);
    expect(await storage.users.count({ ...everyUser, city: 'Rome' })).to.equal(0);
    expect(await storage.users.count({ ...everyUser, status: 'active' })).to.equal(6);
    await storage.close();
    await pool.end();
  });

  describe('with many rows', () => {
    let session: PlanningRunner;
    before(async () => {
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
      (line) =>
        /Seq Scan on (users|posts|orders|order_items|products|comments|outbox_deliveries)\b/.test(line),
    );
  });
});

async function newDatabase(): Promise<string> {
  return (await sharedPostgres()).createDatabase();
}
