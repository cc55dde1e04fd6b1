/** What a connection keeps from earlier harms no later request: each sequence on two pools, as of two processes. */
import { expect } from 'chai';
import pg from 'pg';
import { ServiceError } from '../../../src/core/model/error.js';
import type { StoreTransaction } from '../../../src/core/ports/transaction.js';
import { type SqlStorage, postgresStorage } from '../../../src/core/storage/postgres.js';
import { bareUser } from '../../support/bare-records.js';
import { MovingAddress } from '../../support/moving-address.js';
import { debianPostgres } from '../../support/postgres-binaries.js';
import { PostgresServer, sharedPostgres } from '../../support/postgres-server.js';
import { until } from '../../support/until.js';

const user = { ...bareUser, name: 'Ada', email: 'ada@example.com', role: 'user', status: 'active' } as const;
const now = '2026-01-01T00:00:00.000001Z';
const readOnly = 'The database accepts no writes now: try again later';

const cutOthers = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`;

const outcomeOf = async (work: Promise<unknown>): Promise<unknown> =>
  await work.then(
    () => 'done',
    (error: unknown) => (error instanceof ServiceError ? error.message : String(error)),
  );

let users = 0;
const write = (storage: SqlStorage) =>
  outcomeOf(storage.users.create({ ...user, email: `${String(++users)}@example.com` }, now));
const read = (storage: SqlStorage) => outcomeOf(storage.users.find('1'));
const twelve = async (work: () => Promise<unknown>): Promise<unknown> =>
  new Set(await Promise.all(Array.from({ length: 12 }, work)));
const done = new Set(['done']);

const writeProduct = (storage: SqlStorage, work: (query: StoreTransaction['query']) => Promise<unknown>) =>
  storage.transaction(async ({ products, query }) => {
    await products.create({ name: 'A', description: undefined, priceCents: 1 });
    await work(query);
  });

describe('a connection to PostgreSQL', () => {
  let url = '';
  let name = '';
  let admin: pg.Client;
  let storages: readonly SqlStorage[];
  before(async () => {
    url = await (await sharedPostgres()).createDatabase();
    name = new URL(url).pathname.slice(1);
    admin = new pg.Client(url);
    await admin.connect();
  });
  after(() => admin.end());
  beforeEach(async () => {
    storages = await Promise.all([1, 2].map(() => postgresStorage({ url })));
  });
  afterEach(() => Promise.all(storages.map((each) => each.close())));

  const expectEach = async (ask: (storage: SqlStorage) => Promise<unknown>, outcome: unknown) => {
    for (const storage of storages) expect(await ask(storage)).to.deep.equal(outcome);
  };
  const ping = (storage: SqlStorage) => outcomeOf(storage.ping());

  it('that was opened while the database was read-only refuses nothing afterwards', async () => {
    await expectEach(ping, 'done');
    await admin.query(`alter database ${name} set default_transaction_read_only = on`);
    await admin.query(cutOthers);
    for (const storage of storages) {
      await until('it is read-only', async () => (await ping(storage)) === readOnly);
      await until('it reads', async () => (await read(storage)) === 'done');
      await twelve(() => read(storage));
    }
    await expectEach(write, readOnly);
    await admin.query(`alter database ${name} reset default_transaction_read_only`);
    const [first, second] = storages as [SqlStorage, SqlStorage];
    expect(await twelve(() => write(first)), 'before a ping').to.deep.equal(done);
    expect(await ping(second)).to.equal('done');
    expect(await twelve(() => write(second))).to.deep.equal(done);
    await expectEach(ping, 'done');
  });

  it('that was opened before the database was read-only writes nothing once a ping has found it', async () => {
    await expectEach((storage) => twelve(() => write(storage)), done);
    await expectEach(ping, 'done');
    await admin.query(`alter database ${name} set default_transaction_read_only = on`);
    await expectEach(ping, readOnly);
    await expectEach((storage) => twelve(() => write(storage)), new Set([readOnly]));
    await admin.query(`alter database ${name} reset default_transaction_read_only`);
    await expectEach(ping, 'done');
    await expectEach((storage) => twelve(() => write(storage)), done);
  });

  it('with an earlier search path is replaced', async () => {
    await admin.query('create schema elsewhere');
    await expectEach(ping, 'done');
    await admin.query(`alter role current_user in database ${name} set search_path = elsewhere`);
    for (const storage of storages)
      expect(await ping(storage)).to.match(/tables of the database are out of date/);
    await admin.query(`alter role current_user in database ${name} reset search_path`);
    await expectEach(ping, 'done');
    await expectEach((storage) => twelve(() => write(storage)), done);
  });

  it('prepares its statements again after the type of a column has changed', async () => {
    await expectEach((storage) => twelve(() => write(storage)), done);
    await expectEach((storage) => twelve(() => read(storage)), done);
    await admin.query('alter table users alter column phone type varchar(999)');
    await expectEach((storage) => twelve(() => read(storage)), done);
    await expectEach((storage) => twelve(() => write(storage)), done);
    await admin.query('alter table users alter column phone type text');
  });

  for (const [title, statement] of [
    ['a search path', 'set search_path = pg_catalog'],
    ['a setting by a function', `select set_config('default_transaction_read_only', 'on', false)`],
    ['a temporary table', 'create temporary table users (id int)'],
    ['its prepared statements gone', '/* all */ deallocate all'],
  ] as const) {
    it(`in which a hook leaves ${title} is not used again`, async () => {
      const storage = await postgresStorage({ url, poolSize: 1 });
      try {
        expect(await write(storage)).to.equal('done');
        expect(await outcomeOf(writeProduct(storage, (query) => query(statement)))).to.equal('done');
        expect(await read(storage)).to.equal('done');
        expect(await write(storage)).to.equal('done');
      } finally {
        await storage.close();
      }
    });
  }

  it('in which a hook leaves nothing is used again', async () => {
    const storage = await postgresStorage({ url, poolSize: 1 });
    try {
      const backends = new Set<unknown>();
      for (const statement of [
        'set local statement_timeout = 900',
        `select set_config('app.tenant', 'one', true)`,
        'select pg_advisory_xact_lock(1)',
      ])
        await writeProduct(storage, async (query) => {
          await query(statement);
          const { rows } = await query('select pg_backend_pid() as pid');
          backends.add((rows[0] as { readonly pid: number }).pid);
        });
      expect(backends.size).to.equal(1);
    } finally {
      await storage.close();
    }
  });

  const programs = debianPostgres();
  (programs === undefined ? it.skip : it)(
    'to a standby is replaced once the address leads to the primary',
    async () => {
      const primary = await PostgresServer.start({}, programs);
      const standby = await primary.startStandby(programs ?? '');
      const portOf = (server: PostgresServer) => Number(new URL(server.url('')).port);
      const proxy = new MovingAddress(portOf(primary));
      const address = new URL(primary.url('postgres'));
      address.port = String(await proxy.listen());
      const pair = await Promise.all([1, 2].map(() => postgresStorage({ url: address.href })));
      try {
        for (const storage of pair) expect(await write(storage)).to.equal('done');
        proxy.target = portOf(standby);
        proxy.cut();
        for (const storage of pair) {
          await until('it is read-only', async () => (await ping(storage)) === readOnly);
          await until('it reads', async () => (await read(storage)) === 'done');
        }
        proxy.target = portOf(primary);
        for (const storage of pair) {
          expect(await ping(storage)).to.equal('done');
          expect(await twelve(() => write(storage))).to.deep.equal(done);
        }
      } finally {
        await Promise.all(pair.map((each) => each.close()));
        proxy.close();
        await Promise.all([primary.stop(), standby.stop()]);
      }
    },
  );
});
