/** A service whose tables are locked in PostgreSQL: a 503 means that nothing was stored, and other tables answer. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import pg from 'pg';
import { sharedPostgres } from '../support/postgres-server.js';
import { TestService } from '../support/service.js';
import { until } from '../support/until.js';
import { codesOf, post } from './graphql-requests.js';
import { createUser, userInput } from './user-requests.js';
import { patientNow } from '../support/durations.js';

describe('locked tables', () => {
  const service = new TestService();
  let operator: pg.Client;
  before(async () => {
    const url = await (await sharedPostgres()).createDatabase();
    await service.start({ database: { kind: 'postgres', url } });
    operator = new pg.Client(url);
    await operator.connect();
  });
  after(async () => {
    await service.stop();
    await operator.end();
  });

  /** The service's connections: all of them, and those that wait for a lock. */
  async function backends(): Promise<{ readonly all: number; readonly waiting: number }> {
    const { rows } = await operator.query<{ all: number; waiting: number }>(`
      select count(*)::int as all, (count(*) filter (where wait_event_type = 'Lock'))::int as waiting
      from pg_stat_activity where application_name = 'concordat' and datname = current_database()`);
    return rows[0] ?? { all: 0, waiting: 0 };
  }

  async function counts(): Promise<unknown> {
    const { rows } = await operator.query(`
      select (select count(*) from users) as users, (select count(*) from posts) as posts,
        (select string_agg(name, ',' order by id) from users) as names`);
    return rows[0];
  }

  it('refuse writes with a 503 in time, and none of those is applied later', async () => {
    const user = await createUser(service);
    const before = await counts();
    const idle = await backends();
    await operator.query('begin; lock table posts, users');
    const createPost = `mutation { createPost(title: "T", content: "C", authorId: ${user.id}) { id } }`;
    const began = patientNow();
    const [created, replaced, posted] = await Promise.all([
      service.post('/api/users', userInput({ password: 'a password' })),
      service.put(`/api/users/${user.id}`, userInput({ name: 'Mallory' })),
      post(service, { query: createPost }),
    ]);
    expect(patientNow() - began, 'milliseconds').to.be.below(10_000);
    for (const answer of [created, replaced, posted]) {
      expect(answer.status, answer.text).to.equal(503);
      expect(Number(answer.headers['retry-after'])).to.be.at.least(1);
    }
    expect(codesOf(posted.result ?? {})).to.deep.equal(['SERVICE_UNAVAILABLE']);
    expect((await backends()).waiting, 'connections that still wait').to.equal(0);
    await operator.query('commit');
    expect((await service.get(`/api/users/${user.id}`)).status).to.equal(200);
    expect(await counts()).to.deep.equal(before);
    expect((await backends()).all).to.be.at.most(Math.max(idle.all, 10));
  });

  it('do not keep other tables from answering, however many wait', async () => {
    await operator.query('begin; lock table posts, users');
    let isLocked = true;
    const knock = async (): Promise<void> => {
      while (isLocked) {
        await Promise.all([
          service.get('/api/users/1'),
          service.post('/api/users', userInput()),
          service.get('/api/posts'),
        ]);
        // A client that is refused at once does not come back in the same moment.
        await sleep(50);
      }
    };
    const crowd = Promise.all(Array.from({ length: 30 }, knock));
    await until('the crowd waits', async () => (await backends()).waiting >= 3);
    const waits: number[] = [];
    for (let round = 0; round < 40; round++) {
      const began = patientNow();
      expect((await service.get('/api/products')).status).to.equal(200);
      waits.push(patientNow() - began);
      // A client that asks ten times per second.
      await sleep(100);
    }
    isLocked = false;
    await operator.query('commit');
    await crowd;
    // The first crowd may hold all connections for as long as the database waits for a lock.
    expect(Math.max(...waits), 'the longest wait').to.be.below(4_000);
    expect(
      // A read that waited for a lock would wait two seconds.
      waits.slice(5).filter((wait) => wait > 1_900),
      'long waits later',
    ).to.deep.equal([]);
    await until(
      'the tables are served again',
      async () => (await service.get('/api/users/1')).status === 200,
    );
    await until('no connection waits', async () => (await backends()).waiting === 0);
    expect((await backends()).all).to.be.at.most(10);
  });

  it('do not keep single records and the probe from answering while lists wait, and lists answer afterwards', async () => {
    const created = await operator.query(
      "insert into products (name, price_cents) values ('Lamp', 1) returning id",
    );
    const { id } = created.rows[0] as { readonly id: string };
    // A lock on the items stops lists of orders, as a slow query would, and no probation applies before the first deadline.
    await operator.query('begin; lock table order_items');
    // Pages of an unusual size are not prepared, and so not joined.
    const lists = Array.from({ length: 30 }, () => service.get('/api/orders?limit=7'));
    await until('lists wait', async () => (await backends()).waiting >= 3);
    const began = patientNow();
    expect((await service.get(`/api/products/${id}`)).status).to.equal(200);
    expect((await fetch(`${service.url}/readyz`)).status).to.equal(200);
    expect(patientNow() - began, 'milliseconds').to.be.below(1_000);
    expect((await backends()).waiting).to.be.within(3, 5);
    await operator.query('commit');
    for (const { status } of await Promise.all(lists)) expect(status).to.be.oneOf([200, 503]);
    expect((await service.get('/api/orders')).status).to.equal(200);
  });
});
