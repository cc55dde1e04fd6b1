/** Runs the conformance suite on the PostgreSQL storage behind a real PgBouncer that gives each transaction another connection. */
import { expect } from 'chai';
import pg from 'pg';
import { storageChecks } from '../../../src/core/conformance/storage/storage.js';
import { ServiceError } from '../../../src/core/model/error.js';
import { type PostgresStorageOptions, postgresStorage } from '../../../src/core/storage/postgres.js';
import { PgBouncer, poolerAbsence } from '../../support/pgbouncer-server.js';
import { sharedPostgres } from '../../support/postgres-server.js';
import { bareUser } from '../../support/bare-records.js';
import { emptyPostgres } from './open-store.js';
import { patientNow } from '../../support/durations.js';

const user = { ...bareUser, name: 'Ada', email: 'ada@example.com', role: 'user', status: 'active' } as const;
const now = '2026-01-01T00:00:00.000001Z';

const title = 'postgresStorage behind PgBouncer';
const absence = poolerAbsence === undefined ? '' : ` (skipped: ${poolerAbsence})`;

(poolerAbsence === undefined ? describe : describe.skip)(`${title}${absence}`, () => {
  let url = '';
  let pooler: PgBouncer;
  let options: PostgresStorageOptions & { readonly url: string };
  before(async () => {
    url = await (await sharedPostgres()).createDatabase();
    // Three connections to the server, so that those of several storages are mixed.
    pooler = await PgBouncer.start(url, ['pool_mode = transaction', 'default_pool_size = 3']);
    options = { url: pooler.url(url), directUrl: url, pooler: 'transaction' };
    await (await postgresStorage(options)).close();
  });
  after(() => pooler.stop());

  for (const check of storageChecks) {
    it(`${check.level} ${check.id}: ${check.name}`, () => check.run(() => emptyPostgres(url, options)));
  }

  it('serves many connections of several processes by a few of the server', async () => {
    const one = await emptyPostgres(url, options);
    const [two, three] = [await postgresStorage(options), await postgresStorage(options)];
    const at = (number: number) => [one, two, three][number % 3] ?? one;
    const emails = Array.from({ length: 60 }, (_, number) => `${String(number)}@example.com`);
    const created = await Promise.all(
      emails.map((email, number) => at(number).users.create({ ...user, email }, now)),
    );
    const ids = created.map((each) => (typeof each === 'object' ? each.id : 'email-taken'));
    const found = await Promise.all(ids.map((id, number) => at(number + 1).users.find(id)));
    expect(found).to.deep.equal(created);
    const admin = new pg.Client(url);
    await admin.connect();
    const { rows } = await admin.query(
      `select count(*)::int as connections from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    );
    expect(rows).to.deep.equal([{ connections: 3 }]);
    await admin.end();
    await Promise.all([one, two, three].map((storage) => storage.close()));
  });

  it('sets its deadlines in each transaction, and leaves none behind', async () => {
    const storage = await emptyPostgres(url, { ...options, url: `${options.url}?lock_timeout=300ms` });
    const [admin, other] = [new pg.Client(url), new pg.Client(options.url)];
    await Promise.all([admin.connect(), other.connect()]);
    try {
      const created = await storage.users.create(user, now);
      if (created === 'email-taken') throw new Error(created);
      await admin.query('begin; lock table users');
      const [start, patientStart] = [performance.now(), patientNow()];
      const calls = [storage.users.find(created.id), storage.users.delete(created.id)];
      for (const outcome of await Promise.allSettled(calls)) {
        const reason: unknown = outcome.status === 'rejected' ? outcome.reason : undefined;
        expect(reason).to.be.instanceOf(ServiceError).with.property('code', 'unavailable');
      }
      expect(performance.now() - start).to.be.at.least(250);
      expect(patientNow() - patientStart).to.be.below(1_900);
      await admin.query('rollback');
      expect(await storage.users.find(created.id)).to.deep.equal(created);
      for (let round = 0; round < 6; round += 1) {
        expect((await other.query('show lock_timeout')).rows).to.deep.equal([{ lock_timeout: '0' }]);
      }
    } finally {
      await Promise.all([admin.end(), other.end(), storage.close()]);
    }
  });
});
