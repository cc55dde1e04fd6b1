/** PostgreSQL stores a new user and its event by one statement: the event has the record that the write returns. */
import { expect } from 'chai';
import { contractOfChecks } from '../../../src/core/conformance/storage/stored.js';
import type { NewUser } from '../../../src/core/ports/user-store.js';
import type { OutboxEvent } from '../../../src/core/model/webhook.js';
import { postgresStorage, type SqlStorage } from '../../../src/core/storage/postgres.js';
import { bareUser } from '../../support/bare-records.js';
import { sharedPostgres } from '../../support/postgres-server.js';

const now = '2026-01-01T00:00:00.000001Z';
const eve: NewUser = { ...bareUser, name: 'Eve', email: 'eve@example.com', role: 'user', status: 'active' };
const receiver = { consumer: undefined, url: 'https://hooks.example.com/', secrets: [] };

describe('a user that PostgreSQL publishes', () => {
  const statements: string[] = [];
  let storage: SqlStorage;
  let all: string;
  before(async () => {
    const url = await (await sharedPostgres()).createDatabase();
    const observer = { statement: (text: string) => statements.push(text.slice(0, 12)) };
    storage = await postgresStorage({ url, observer, contract: contractOfChecks });
    all = (await storage.outbox.create(receiver, now)).id;
  });
  beforeEach(() => statements.splice(0));
  after(() => storage.close());

  /** As the services do. @param others - changes the event, or what else is stored */
  const create = (user: NewUser, others: (event: OutboxEvent) => object = () => ({})) =>
    storage.writes.write('users', 'create', [user, now], (record) => {
      const isRecord = typeof record !== 'string';
      const subject = `user:${isRecord ? record.id : ''}`;
      const event = {
        eventId: 'e',
        type: 'user.created' as const,
        subject,
        time: now,
        data: Object(record) as object,
      };
      return { entries: [], event: isRecord ? event : undefined, ...(isRecord && others(event)) };
    });
  const last = async () => (await storage.outbox.listDeliveries(all, { offset: 0, limit: 1 }))[0];

  const stored = { text: 'A "7" \\', none: null, list: [1, { deep: ['x', null] }] };
  for (const [what, user] of [
    ['few values', eve],
    ['all values', { ...eve, email: 'e@example.com', phone: '+1 "2"', city: 'Łódź', stored }],
  ] as const) {
    it(`has its record in the event, with ${what}`, async () => {
      const record = await create(user);
      expect(statements).to.deep.equal(['with written']);
      expect(record).to.have.property('name', 'Eve');
      const { id } = record as { readonly id: string };
      expect(await last()).to.deep.include({
        ...{ subject: `user:${id}`, eventId: 'e', type: 'user.created', time: now, dueAt: now },
        ...{ status: 'pending', attempts: 0, data: JSON.parse(JSON.stringify(record)) as unknown },
      });
    });
  }

  it('is published to the receivers of its type, together with others, and not if its email is taken', async () => {
    const receivers = [['user.created'], ['user.updated']].map((types) =>
      storage.outbox.create({ ...receiver, types: types as ['user.created'] }, now),
    );
    const [wanted, other] = await Promise.all(receivers);
    const emails = ['a', 'A', 'b'].map((name) => `${name}@example.com`);
    const outcomes = await Promise.all(emails.map((email) => create({ ...eve, email })));
    expect(outcomes.filter((outcome) => outcome === 'email-taken')).to.have.lengthOf(1);
    expect((await storage.outbox.listDeliveries(wanted?.id ?? '', { offset: 0, limit: 9 })).length).to.equal(
      2,
    );
    expect((await storage.outbox.listDeliveries(other?.id ?? '', { offset: 0, limit: 9 })).length).to.equal(
      0,
    );
  });

  it('is stored by more statements if its event has something else', async () => {
    await create({ ...eve, email: 'c@example.com' }, (event) => ({ event: { ...event, data: { id: '0' } } }));
    expect(statements).to.deep.equal(['begin isolat', 'insert into ', 'insert into ', 'commit']);
    expect((await last())?.data).to.deep.equal({ id: '0' });
  });
});
