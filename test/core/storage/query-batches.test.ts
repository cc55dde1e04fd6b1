/** Tests that queries of one kind that begin together share an exchange with PostgreSQL, and that one that is refused fails alone. */
import { expect } from 'chai';
import pg from 'pg';
import { ServiceError } from '../../../src/core/model/error.js';
import { postgresStorage } from '../../../src/core/storage/postgres.js';
import { openPool } from '../../../src/core/storage/postgres/pools.js';
import { QueryBatches } from '../../../src/core/storage/postgres/batches.js';
import { PostgresRunner } from '../../../src/core/storage/postgres/runner.js';
import type { Query } from '../../../src/core/storage/sql/query/query.js';
import { rowsOf } from '../../../src/core/storage/sql/query/runner.js';
import { bareUser } from '../../support/bare-records.js';
import { sharedPostgres } from '../../support/postgres-server.js';

const now = '2026-01-01T00:00:00.000000Z';
const quotient = (divisor: string): Query => ({
  sql: 'select 100 / $1::int as quotient',
  parameters: [divisor],
  name: 'quotient',
});
const square = (side: string): Query => ({
  sql: 'select $1::int ^ 2 as area',
  parameters: [side],
  name: 'square',
});

describe('QueryBatches', () => {
  let connections = 0;
  let statements = 0;
  let runner: PostgresRunner;
  before(async () => {
    const url = await (await sharedPostgres()).createDatabase();
    const observer = { waited: () => (connections += 1), statement: () => (statements += 1) };
    const pool = openPool(url, 'test', { max: 2, observer });
    runner = new PostgresRunner(pool, () => pool.end());
  });
  beforeEach(() => {
    connections = 0;
    statements = 0;
  });
  after(() => runner.close());

  const ask = (query: Query) => runner.run(() => rowsOf(query));

  it('runs on one connection what begins together, each kind on its own, and counts every query', async () => {
    const divisors = [1, 2, 4, 5, 10];
    for (let time = 1; time <= 2; time += 1) {
      const reads = divisors.map((divisor) => ask(quotient(String(divisor))));
      expect(await ask(square('3'))).to.deep.equal([{ area: 9 }]);
      expect(await Promise.all(reads)).to.deep.equal(
        divisors.map((divisor) => [{ quotient: 100 / divisor }]),
      );
      expect([connections, statements]).to.deep.equal([2 * time, 6 * time]);
    }
  });

  it('bounds what runs on one connection', async () => {
    await Promise.all(Array.from({ length: 33 }, (_, index) => ask(quotient(String(index + 1)))));
    expect(connections).to.equal(3);
  });

  it('joins what begins while the others wait for a connection', async () => {
    const slow = { sql: 'select pg_sleep(0.1)', parameters: [] };
    const both = [ask(slow), ask(slow)];
    await new Promise(setImmediate);
    const first = ask(quotient('1'));
    await new Promise((resolve) => setTimeout(resolve, 20));
    await Promise.all([first, ask(quotient('2')), ...both]);
    expect(connections).to.equal(3);
  });

  it('runs each alone when PostgreSQL refuses one of them, so that only that one fails', async () => {
    const outcomes = await Promise.allSettled(['1', '0', '4'].map((divisor) => ask(quotient(divisor))));
    const [one, failed, four] = outcomes;
    expect([one, four]).to.deep.equal([
      { status: 'fulfilled', value: [{ quotient: 100 }] },
      { status: 'fulfilled', value: [{ quotient: 25 }] },
    ]);
    expect(failed).to.have.property('reason').instanceOf(pg.DatabaseError).and.to.include({ code: '22012' });
  });

  it('repeats nothing when there is no answer', async () => {
    let exchanges = 0;
    const absent = new ServiceError('unavailable', 'The database does not answer: try again later');
    const batches = new QueryBatches((_, close) => {
      exchanges += 1;
      close();
      return Promise.reject(absent);
    });
    const outcomes = await Promise.allSettled(['1', '2'].map((divisor) => batches.ask(quotient(divisor))));
    expect(outcomes).to.deep.equal([
      { status: 'rejected', reason: absent },
      { status: 'rejected', reason: absent },
    ]);
    expect(exchanges).to.equal(1);
  });

  it('writes together, and alone what PostgreSQL would refuse together', async () => {
    const url = await (await sharedPostgres()).createDatabase();
    let connections = 0;
    const storages = [
      await postgresStorage({ url, observer: { waited: () => (connections += 1) } }),
      await postgresStorage({ url }),
    ] as const;
    const [{ users }] = storages;
    const user = (name: string, email: string) =>
      ({ ...bareUser, name, email, role: 'user', status: 'active' }) as const;
    try {
      connections = 0;
      const refused = users.create(user('\0', 'nobody@example.com'), now).catch((error: unknown) => error);
      const twice = ['a', 'b', 'A'].map((name) => users.create(user(name, `${name}@example.com`), now));
      expect(await refused).to.be.instanceOf(pg.DatabaseError);
      expect((await Promise.all(twice)).map((outcome) => typeof outcome)).to.deep.equal([
        'object',
        'object',
        'string',
      ]);
      expect(connections, 'one for all, and one for each').to.equal(5);
      // Two processes add the same emails in opposite orders, so that each may wait for the other.
      const emails = Array.from({ length: 12 }, (_, index) => `user-${String(index)}@example.com`);
      const both = storages.map((storage, index) =>
        (index === 0 ? emails : emails.toReversed()).map((email) =>
          storage.users.create(user('N', email), now),
        ),
      );
      const outcomes = await Promise.all(both.flat());
      expect(outcomes.filter((outcome) => outcome === 'email-taken')).to.have.lengthOf(12);
      expect(await users.count({ role: undefined, status: undefined, city: undefined })).to.equal(14);
    } finally {
      await Promise.all(storages.map((storage) => storage.close()));
    }
  });
});
