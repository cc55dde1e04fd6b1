/** The wait for a client that does not answer. */
import { expect } from 'chai';
import { PostgresConnection, type PostgresPool } from '../../../src/core/storage/postgres/connection.js';

type PostgresClient = Awaited<ReturnType<PostgresPool['connect']>>;

const select = { sql: 'select', parameters: [] };

/** A pool of one client, which answers as it is told. */
function poolOf(query: PostgresClient['query']) {
  const released: unknown[] = [];
  const client: PostgresClient = {
    query,
    on: () => undefined,
    removeListener: () => undefined,
    release: (error) => released.push(error),
  };
  return { connect: () => Promise.resolve(client), released };
}

describe('the wait for the answers of a PostgreSQL client', () => {
  it('ends for a client that hangs, which is discarded', async () => {
    const pool = poolOf(() => new Promise(() => undefined));
    const connection = await PostgresConnection.open(pool, 20);
    expect(await connection.ask(select).catch((error: unknown) => error)).to.include({
      code: 'unavailable',
      detail: 'PostgreSQL did not answer within 20 ms',
    });
    connection.release();
    expect(pool.released).to.have.lengthOf(1).and.to.have.property('0').instanceOf(Error);
  });

  it('starts again with each query, and may have another limit', async () => {
    let answers = 0;
    const pool = poolOf(
      () => new Promise((resolve) => setTimeout(resolve, 30, { rows: [{ answer: (answers += 1) }] })),
    );
    const connection = await PostgresConnection.open(pool, 60);
    for (let query = 1; query <= 4; query += 1)
      expect(await connection.ask(select)).to.deep.equal([{ answer: query }]);
    const impatient = await PostgresConnection.open(pool, 5);
    expect(await impatient.ask(select).catch((error: unknown) => error)).to.include({ code: 'unavailable' });
  });
});
