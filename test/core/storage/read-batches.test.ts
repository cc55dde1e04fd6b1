/** Tests that reads of one kind that begin together share an exchange with PostgreSQL, and that one that is refused fails alone. */
import { expect } from 'chai';
import pg from 'pg';
import { ServiceError } from '../../../src/core/model/error.js';
import { openPool } from '../../../src/core/storage/postgres/pools.js';
import { ReadBatches } from '../../../src/core/storage/postgres/read-batches.js';
import { PostgresRunner } from '../../../src/core/storage/postgres/runner.js';
import type { Query } from '../../../src/core/storage/sql/query/query.js';
import { rowsOf } from '../../../src/core/storage/sql/query/task.js';
import { sharedPostgres } from '../../support/postgres-server.js';

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

describe('ReadBatches', () => {
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

  it('reads on one connection what begins together, each kind on its own, and counts every read', async () => {
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

  it('bounds what is read on one connection', async () => {
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

  it('reads each alone when PostgreSQL refuses one of them, so that only that one fails', async () => {
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
    const batches = new ReadBatches((_, close) => {
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
});
