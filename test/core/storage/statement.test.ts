/** Prepared statements of `pg` that are described once: the same rows as from `pg` itself, also after errors. */
import type { EventEmitter } from 'node:events';
import { expect } from 'chai';
import pg from 'pg';
import { runStatements } from '../../../src/core/storage/postgres/statement.js';
import { sharedPostgres } from '../../support/postgres-server.js';

describe('a prepared statement of pg', () => {
  let client: pg.Client & { readonly connection: EventEmitter };
  before(async () => {
    const url = await (await sharedPostgres()).createDatabase();
    client = new pg.Client(url);
    await client.connect();
  });
  after(() => client.end());

  const text = `select 100 / $1::int as quotient, $2::text as text, 9007199254740993 as big, null as nothing
    from generate_series(1, 2)`;
  const run = (...values: unknown[]) =>
    runStatements(client, [{ sql: text, parameters: values, name: 'quotients' }]).then(([rows]) => rows);

  it('is described once, and has the rows that pg reads', async () => {
    let descriptions = 0;
    client.connection.on('rowDescription', () => (descriptions += 1));
    const answers = [await run('5', 'ä'), await run('10', null)];
    expect(descriptions).to.equal(1);
    for (const [index, values] of [
      ['5', 'ä'],
      ['10', null],
    ].entries()) {
      expect(answers[index]).to.deep.equal((await client.query({ text, values })).rows);
    }
  });

  it('is run several times in one exchange, and fails as its first run that fails', async () => {
    const runs = [
      ['5', 'a'],
      ['10', 'b'],
    ];
    const all = (each: readonly string[][]) =>
      runStatements(
        client,
        each.map((parameters) => ({ sql: text, parameters, name: 'quotients' })),
      );
    const answers = await all(runs);
    expect(answers).to.deep.equal([await run('5', 'a'), await run('10', 'b')]);
    const failing = [...runs, ['0', 'c'], ['1', 'd']];
    const failed = await all(failing).catch((error: unknown) => error);
    expect(failed).to.be.instanceOf(pg.DatabaseError).and.to.include({ code: '22012' });
    expect(await all(runs)).to.deep.equal(answers);
  });

  it('is run again after an error', async () => {
    const failed = await run('0', '').catch((error: unknown) => error);
    expect(failed).to.be.instanceOf(pg.DatabaseError).and.to.include({ code: '22012' });
    expect(await run('50', 'x')).to.have.deep.nested.property('1.quotient', 2);
  });

  it('is parsed again where it could not be', async () => {
    const read = () =>
      runStatements(client, [{ sql: 'select text from late', parameters: [], name: 'late' }]).then(
        ([rows]) => rows,
      );
    expect(await read().catch((error: unknown) => error)).to.include({ code: '42P01' });
    await client.query("create table late as select 'here' as text");
    expect([await read(), await read()]).to.deep.equal([[{ text: 'here' }], [{ text: 'here' }]]);
  });
});
