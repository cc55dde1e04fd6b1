/** Two service processes share the deliveries on one PostgreSQL without a leader, and one of them is killed while it has claimed some. */
import { rm } from 'node:fs/promises';
import { expect } from 'chai';
import pg from 'pg';
import { ServiceProcess } from '../crash/service-process.js';
import { compileService } from '../support/compiled-service.js';
import { sharedPostgres } from '../support/postgres-server.js';
import { admin, outboxVariables } from '../support/sign-in.js';
import { until } from '../support/until.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';

/** The names that a product gets in the test of a process that is killed. */
const versions = 4;

describe('the deliveries of two processes on one PostgreSQL', () => {
  let directory = '';
  let database: pg.Client;
  let receiver: WebhookReceiver;
  let processes: readonly [ServiceProcess, ServiceProcess];
  /** The names that each product was given, by its subject. */
  const written = new Map<string, string[]>();

  before(async () => {
    directory = await compileService();
    const url = await (await sharedPostgres()).createDatabase();
    const start = () => ServiceProcess.start(directory, url, outboxVariables);
    processes = await Promise.all([start(), start()]);
    database = new pg.Client(url);
    await database.connect();
    receiver = await WebhookReceiver.start();
    const { accessToken = '' } = await send(0, 'POST', '/api/auth/login', admin);
    const { secret = '' } = await send(1, 'POST', '/api/webhooks', { url: receiver.url }, accessToken);
    receiver.secrets = [secret];
    written.clear();
  });
  after(async () => {
    await Promise.all(processes.map((process) => process.kill()));
    await Promise.all([receiver.stop(), database.end()]);
    await rm(directory, { recursive: true });
  });

  async function send(index: 0 | 1, method: string, path: string, body: object, token?: string) {
    const headers = {
      'Content-Type': 'application/json',
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    };
    const answer = await fetch(processes[index].url + path, { method, headers, body: JSON.stringify(body) });
    expect(answer.status).to.be.oneOf([200, 201]);
    return (await answer.json()) as { readonly [name in 'accessToken' | 'secret' | 'id']?: string };
  }

  /** Gives a product its next name. @param id - undefined to create one */
  async function write(index: 0 | 1, id?: string): Promise<string> {
    const names = written.get(`product:${String(id)}`) ?? [];
    const body = { name: `version ${String(names.length + 1)}`, price: 1 };
    const made =
      id === undefined
        ? await send(index, 'POST', '/api/products', body)
        : await send(index, 'PUT', `/api/products/${id}`, body);
    written.set(`product:${String(made.id)}`, [...names, body.name]);
    return String(made.id);
  }

  const delivered = async (index: 0 | 1): Promise<number> => {
    const text = await (await fetch(`${processes[index].url}/metrics`)).text();
    return Number(/^outbox_deliveries_total\{outcome="delivered"\} (\d+)/m.exec(text)?.[1]);
  };
  const waiting = async (): Promise<number> => {
    const { rows } = await database.query<{ readonly count: string }>(
      `select count(*) from outbox_deliveries where status = 'pending'`,
    );
    return Number(rows[0]?.count);
  };

  it('are claimed by both', async () => {
    await until('both have delivered', async () => {
      await Promise.all([write(0), write(1)]);
      return (await delivered(0)) > 0 && (await delivered(1)) > 0;
    });
    await until('nothing waits', async () => (await waiting()) === 0);
    expect(new Set(receiver.attempts.values())).to.deep.equal(new Set([1]));
  });

  it('are taken over from the one that is killed, in order, and repeated under the same ids', async () => {
    let answer = (): void => undefined;
    const answered = new Promise<number>((resolve) => (answer = () => resolve(204)));
    let held = 0;
    receiver.answer = () => {
      held += 1;
      return answered;
    };
    const before = await delivered(1);
    const ids = [await write(0)];
    await until('a process waits for an answer', () => held === 1);
    // It claims no more until it has the answer, so what comes next is from the other one.
    await until('the other one does too', async () => {
      ids.push(await write(0), await write(1));
      return held > 1;
    });
    for (const id of ids)
      for (let version = 2; version <= versions; version += 1) await write(version % 2 === 0 ? 1 : 0, id);
    await processes[0].kill();
    answer();
    receiver.answer = () => 204;
    await until('the other one goes on', async () => (await delivered(1)) - before >= versions);
    expect(await waiting()).to.be.at.least(versions);
    // In place of the time until the leases end. It locks the receivers first, as claims and settlements do.
    await database.query(`with locked as materialized (select id from outbox_receivers order by id for update)
      update outbox_deliveries set due_at = time where status = 'pending' and receiver_id in (select id from locked)`);
    await until('nothing waits', async () => (await waiting()) === 0);

    const arrived = new Map<string, string[]>();
    const last = new Map<string, string>();
    for (const { id, subject, data } of receiver.taken) {
      // What comes again comes before the next event of its record.
      if (last.get(subject) === id) continue;
      last.set(subject, id);
      arrived.set(subject, [...(arrived.get(subject) ?? []), (data as { readonly name: string }).name]);
    }
    expect(Object.fromEntries(arrived)).to.deep.equal(Object.fromEntries(written));
    const repeated = [...receiver.attempts.values()].filter((attempts) => attempts > 1);
    expect(repeated.length).to.be.within(1, held - 1);
    expect(new Set(repeated)).to.deep.equal(new Set([2]));
    expect(receiver.refusals).to.deep.equal([]);
  });
});
