/** Events reach their receivers: at least once, in the order of each record, after outages too. The clock is the tests' own. */
import { expect } from 'chai';
import { jwtCodec } from '../../../../src/core/identity/jwt.js';
import type { WebhookSender } from '../../../../src/core/ports/outbox.js';
import type { IdentityProvider } from '../../../../src/core/ports/sign-in.js';
import type { ServicesOptions } from '../../../../src/core/services/context/service-context.js';
import { secrets } from '../../../support/sign-in.js';
import { webhookSender } from '../../../../src/core/events/webhooks.js';
import { type Timestamp, timestampOf } from '../../../../src/core/model/timestamp.js';
import { cloudEvent } from '../../../../src/core/operations/webhooks.js';
import type { Storage } from '../../../../src/core/ports/storage.js';
import { deleteExpired } from '../../../../src/core/services/expired-records.js';
import { operator } from '../../../../src/core/services/rights/caller.js';
import { openPolicy } from '../../../../src/core/services/rights/policy.js';
import { createServices, type Services } from '../../../../src/core/services/services.js';
import { quickenTimers } from '../../../support/quick-timers.js';
import { onEveryStorage } from '../../../support/stores.js';
import { until } from '../../../support/until.js';
import { type Event, WebhookReceiver } from '../../../support/webhook-receiver.js';

const sender = webhookSender({ allow: ['127.0.0.1'], timeoutMs: 60_000 });
const second = 1_000;
const hour = 3_600 * second;

onEveryStorage('the outbox', (storage) => {
  let now = Date.parse('2026-01-01T00:00:00Z');
  let users = 0;
  let receiver: WebhookReceiver;
  let services: Services;
  let noted: string[] = [];
  const clock = { now: (): Timestamp => timestampOf(now) };

  /** The services of one process. */
  const open = (store: Storage): Services => createServices(options(store));
  const options = (store: Storage, given: Partial<WebhookSender> = {}): ServicesOptions => ({
    storage: store,
    policy: openPolicy,
    clock,
    outbox: {
      sender: { ...sender, ...given },
      encode: cloudEvent,
      random: () => 0.5,
      noted: (what, { id }, answer) => noted.push(`${what} ${id} ${answer}`),
    },
  });
  const addUser = async (): Promise<string> => {
    users += 1;
    const email = `user${String(users)}@example.com`;
    return (await services.users.create(operator, { ...input, email })).id;
  };
  const rename = (id: string, name: string) =>
    services.users.update(operator, id, { name, email: undefined });
  const webhookTo = async ({ url }: WebhookReceiver, types?: readonly ['user.created']) => {
    const created = await services.webhooks.create(operator, { url, types });
    return { ...created, id: created.webhook.id };
  };
  const deliver = async (afterMs = 0): Promise<void> => {
    now += afterMs;
    await services.outbox.deliverDue();
  };
  const named = (events: readonly Event[]) =>
    events.map(({ type, data }) => [type, 'name' in data ? data.name : data.id].join(' '));

  beforeEach(async () => {
    noted = [];
    receiver = await WebhookReceiver.start();
    services = open(storage());
  });
  afterEach(async () => {
    await receiver.stop();
    for (const { id } of (await services.webhooks.list(operator, { page: 1, limit: 100 })).data)
      await services.webhooks.delete(operator, id);
    expect(receiver.refusals).to.deep.equal([]);
  });

  it('sends the events of a record in the order of its writes, signed', async () => {
    const { secret } = await webhookTo(receiver);
    receiver.secrets = [secret];
    const ids = [await addUser(), await addUser(), await addUser()];
    for (const name of ['A', 'B', 'C']) await Promise.all(ids.map((id) => rename(id, name)));
    await services.users.delete(operator, String(ids[0]));
    await deliver();
    for (const id of ids) {
      const own = receiver.taken.filter(({ subject }) => subject === `user:${id}`);
      const deleted = id === ids[0] ? [`user.deleted ${id}`] : [];
      expect(named(own)).to.deep.equal(
        ['user.created Ada', 'user.updated A', 'user.updated B', 'user.updated C'].concat(deleted),
      );
    }
    expect(new Set(receiver.attempts.values())).to.deep.equal(new Set([1]));
  });

  it('stores no event for a write that is refused or that nobody wants, and one for a write under a key', async () => {
    const { id: webhook } = await webhookTo(receiver, ['user.created']);
    const id = await addUser();
    await rename(id, 'not wanted');
    const taken = { ...input, email: `user${String(users)}@example.com` };
    expect(await services.users.create(operator, taken).catch(() => 'refused')).to.equal('refused');
    for (let time = 1; time <= 2; time += 1)
      await services.users.createOnce(
        operator,
        { ...input, email: `key${webhook}@example.com` },
        `key ${webhook}`,
      );
    await deliver();
    expect(receiver.taken.map(({ type }) => type)).to.deep.equal(['user.created', 'user.created']);
  });

  it('publishes the user of a first external sign-in, and not one that was found', async () => {
    await webhookTo(receiver);
    const profile = {
      issuer: 'https://id.example.com',
      subject: String(now),
      email: `${String(now)}@example.com`,
      name: 'Ada',
    };
    const identityProvider = { complete: () => Promise.resolve(profile) } as unknown as IdentityProvider;
    const { externalSignIn } = createServices({
      ...options(storage()),
      identityProvider,
      tokens: jwtCodec(secrets),
    });
    for (let time = 1; time <= 2; time += 1) {
      expect(await externalSignIn.complete('', 'ticket')).to.be.an('object');
      now += second;
    }
    await deliver();
    expect(named(receiver.taken)).to.deep.equal(['user.created Ada']);
  });

  it('tries again after an outage of an hour, and loses nothing', async () => {
    await webhookTo(receiver);
    const port = Number(new URL(receiver.url).port);
    await receiver.stop();
    const id = await addUser();
    await rename(id, 'later');
    for (let passed = 0; passed < hour; passed += 10 * second) await deliver(10 * second);
    expect(noted.filter((note) => note.startsWith('failed')).length).to.be.within(4, 8);
    expect(noted[0]).to.match(/^failed \d+ connect ECONNREFUSED/);
    await receiver.listen(port);
    await deliver(3 * hour);
    expect(named(receiver.taken)).to.deep.equal(['user.created Ada', 'user.updated later']);
  });

  it('disables a webhook after three days, and delivers all of it again when asked', async () => {
    const { id: webhook } = await webhookTo(receiver);
    receiver.answer = () => 500;
    const id = await addUser();
    await rename(id, 'B');
    const began = now;
    let disabled = 0;
    while (disabled === 0 && now < began + 100 * hour) {
      await deliver(hour / 2);
      if (noted.at(-1)?.startsWith('disabled') === true) disabled = now;
    }
    expect((disabled - began) / hour).to.be.within(71, 78);
    const { data } = await services.webhooks.listDeliveries(operator, webhook);
    expect(data.map(({ status, answer }) => [status, answer])).to.deep.equal([
      ['failed', undefined],
      ['failed', 'status 500'],
    ]);
    await addUser();
    receiver.answer = () => 204;
    await deliver(hour);
    expect(receiver.taken).to.deep.equal([]);
    expect(await services.webhooks.redeliver(operator, webhook, undefined)).to.equal(2);
    await addUser();
    await deliver();
    expect(named(receiver.taken.filter(({ subject }) => subject === `user:${id}`))).to.deep.equal([
      'user.created Ada',
      'user.updated B',
    ]);
    expect(receiver.taken).to.have.lengthOf(3);
  });

  for (const [title, mend] of [
    ['delivered again', (id: string) => services.webhooks.redeliver(operator, id, undefined)],
    [
      'given another address',
      (id: string) =>
        services.webhooks.update(operator, id, { url: `${receiver.url}?now`, status: undefined }),
    ],
    [
      'activated',
      async (id: string) => {
        await services.webhooks.update(operator, id, { url: undefined, status: 'disabled' });
        await services.webhooks.update(operator, id, { url: undefined, status: 'active' });
      },
    ],
  ] as const)
    it(`delivers what waits at once, in order, to a webhook that is ${title}`, async () => {
      const { id: webhook } = await webhookTo(receiver);
      receiver.answer = () => 500;
      const id = await addUser();
      await rename(id, 'B');
      for (let time = 0; time < 8; time += 1) await deliver(6 * hour);
      receiver.answer = () => 204;
      await deliver(second);
      expect(receiver.taken, 'the next attempt is hours away').to.deep.equal([]);
      await mend(webhook);
      await deliver();
      expect(named(receiver.taken)).to.deep.equal(['user.created Ada', 'user.updated B']);
      const { data } = await services.webhooks.listDeliveries(operator, webhook);
      expect(data.map(({ status, attempts }) => [status, attempts])).to.deep.equal([
        ['delivered', 1],
        ['delivered', 1],
      ]);
    });

  it('delivers one event again that waits, after those before it of its record', async () => {
    const { id: webhook } = await webhookTo(receiver);
    receiver.answer = () => 500;
    const id = await addUser();
    await rename(id, 'B');
    await deliver();
    await deliver(6 * hour);
    receiver.answer = () => 204;
    const [last] = (await services.webhooks.listDeliveries(operator, webhook)).data;
    expect(await services.webhooks.redeliver(operator, webhook, last?.id)).to.equal(1);
    await deliver();
    expect(named(receiver.taken)).to.deep.equal(['user.created Ada', 'user.updated B']);
  });

  it('sends an event at once to an address that changed while the former one refused it', async () => {
    const { id: webhook } = await webhookTo(receiver);
    receiver.answer = async () => {
      receiver.answer = () => 204;
      await services.webhooks.update(operator, webhook, { url: `${receiver.url}?new`, status: undefined });
      return 500;
    };
    await addUser();
    await deliver();
    await deliver();
    expect(receiver.taken).to.have.lengthOf(1);
  });

  it('delivers other records while many events wait behind one that fails', async () => {
    await webhookTo(receiver);
    const id = await addUser();
    receiver.answer = () => (receiver.attempts.size === 1 ? 500 : 204);
    await deliver();
    for (let number = 0; number < 510; number += 1) await rename(id, String(number));
    const other = await addUser();
    await deliver();
    expect(receiver.taken.map(({ subject }) => subject)).to.deep.equal([`user:${other}`]);
    expect(await storage().outbox.receivers(clock.now()), 'nothing is due').to.deep.equal([]);
  });

  it('records what is done with a webhook, with its host', async () => {
    const { webhooks } = services;
    const url = `${receiver.url}?t0ken`;
    const { id } = (await webhooks.create(operator, { url, types: undefined })).webhook;
    await webhooks.update(operator, id, { url, status: undefined });
    await webhooks.test(operator, id);
    await webhooks.redeliver(operator, id, undefined);
    await webhooks.rotate(operator, id);
    await webhooks.delete(operator, id);
    const filter = { actor: undefined, action: undefined, target: `webhook:${id}`, since: undefined };
    const entries = await storage().audit.list(filter, { after: undefined, limit: 99 });
    const { host } = new URL(receiver.url);
    expect(entries.map(({ action, detail }) => `${action} ${String(detail)}`)).to.deep.equal(
      ['create', 'update', 'test', 'redeliver', 'rotate', 'delete'].map((done) => `webhooks.${done} ${host}`),
    );
  });

  it('counts what waits, and how long, without the webhooks that are disabled', async () => {
    const { id: webhook } = await webhookTo(receiver);
    const began = clock.now();
    await addUser();
    now += hour;
    const { id: younger } = await webhookTo(receiver);
    await addUser();
    expect(await services.outbox.waiting()).to.deep.equal({ count: 3, oldest: began });
    for (const id of [webhook, younger])
      await services.webhooks.update(operator, id, { url: undefined, status: 'disabled' });
    expect(await services.outbox.waiting()).to.deep.equal({ count: 0, oldest: undefined });
  });

  it('disables a webhook at once when its receiver is gone for good', async () => {
    const { id: webhook } = await webhookTo(receiver);
    receiver.answer = () => 410;
    await addUser();
    await deliver();
    expect(noted.map((note) => note.split(' ')[0])).to.deep.equal(['failed', 'disabled']);
    const { data } = await services.webhooks.list(operator);
    expect(data.find(({ id }) => id === webhook)?.status).to.equal('disabled');
  });

  it('makes a webhook active again when asked, also if none of its events is left', async () => {
    const { id: webhook } = await webhookTo(receiver);
    receiver.answer = () => 410;
    await addUser();
    await deliver();
    now += 15 * 24 * hour;
    await deleteExpired(storage(), clock.now());
    expect(await services.webhooks.redeliver(operator, webhook, undefined)).to.equal(0);
    receiver.answer = () => 204;
    await addUser();
    await deliver();
    expect(receiver.taken).to.have.lengthOf(1);
  });

  it('keeps each of two secrets that are made at once, and each of two changes', async () => {
    const { id: webhook } = await webhookTo(receiver);
    const { webhooks } = services;
    const rotate = () => webhooks.rotate(operator, webhook);
    const [one, other] = await Promise.all([rotate(), rotate()]);
    for (const { secret } of [one, other]) {
      receiver.secrets = [secret];
      await addUser();
      await deliver();
    }
    expect(receiver.taken).to.have.lengthOf(2);
    const url = `${receiver.url}?changed`;
    await Promise.all([
      webhooks.update(operator, webhook, { url, status: undefined }),
      webhooks.update(operator, webhook, { url: undefined, status: 'disabled' }),
    ]);
    const { url: changed, status } = await webhooks.get(operator, webhook);
    expect({ url: changed, status }).to.deep.equal({ url, status: 'disabled' });
  });

  it('signs with the former secret too for a day after a new one was made', async () => {
    const { id: webhook, secret: former } = await webhookTo(receiver);
    const { secret } = await services.webhooks.rotate(operator, webhook);
    for (const known of [former, secret]) {
      receiver.secrets = [known];
      await addUser();
      await deliver();
    }
    expect(receiver.signatures).to.equal(2);
    await addUser();
    await deliver(25 * hour);
    expect([receiver.taken.length, receiver.signatures]).to.deep.equal([3, 1]);
  });

  it('does not prolong a former secret when another one is made, and forgets those that have ended', async () => {
    const { id: webhook, secret: first } = await webhookTo(receiver);
    await services.webhooks.rotate(operator, webhook);
    now += 20 * hour;
    const { secret: third } = await services.webhooks.rotate(operator, webhook);
    const kept = async () => {
      const receivers = await storage().outbox.receivers();
      return receivers.find(({ id }) => id === webhook)?.secrets?.map(({ secret }) => secret) ?? [];
    };
    expect(await kept())
      .to.have.lengthOf(3)
      .and.to.include.members([first, third]);
    await addUser();
    await deliver(5 * hour);
    expect(receiver.signatures, 'the first has ended, the second has not').to.equal(2);
    const { secret: fourth } = await services.webhooks.rotate(operator, webhook);
    expect(await kept())
      .to.have.lengthOf(3)
      .and.to.include.members([third, fourth])
      .but.not.include(first);
  });

  it('signs with a new secret also while it has more to deliver', async () => {
    const { id: webhook } = await webhookTo(receiver);
    receiver.answer = async () => {
      if (receiver.taken.length === 0) {
        await services.webhooks.rotate(operator, webhook);
        await addUser();
      }
      return 204;
    };
    await addUser();
    await deliver();
    expect([receiver.taken.length, receiver.signatures]).to.deep.equal([2, 2]);
  });

  it('does not wait for a receiver that is slow', async () => {
    const slow = await WebhookReceiver.start();
    try {
      let answerSlow = (status: number): void => void status;
      const answered = new Promise<number>((resolve) => (answerSlow = resolve));
      slow.answer = () => answered;
      await webhookTo(slow);
      await webhookTo(receiver);
      for (let number = 0; number < 30; number += 1) await addUser();
      const done = new Promise<void>((resolve) => {
        receiver.answer = () => {
          if (receiver.taken.length === 29) resolve();
          return 204;
        };
      });
      const delivering = services.outbox.deliverDue();
      await done;
      expect([slow.taken.length, slow.attempts.size]).to.deep.equal([0, 1]);
      answerSlow(204);
      await delivering;
      expect(slow.taken).to.have.lengthOf(30);
    } finally {
      await slow.stop();
    }
  });

  describe('with receivers that do not answer', () => {
    let timeOut: (() => void)[] = [];
    let sent: string[] = [];
    const send = async (url: string): Promise<number> => {
      sent.push(url);
      if (url === receiver.url) return 204;
      return await new Promise((_, reject) => timeOut.push(() => reject(new Error('no answer'))));
    };
    const openWith = async (silent: number): Promise<void> => {
      services = createServices(options(storage(), { send, refusal: () => Promise.resolve(undefined) }));
      [timeOut, sent] = [[], []];
      for (let number = 1; number <= silent; number += 1)
        await services.webhooks.create(operator, {
          url: `https://silent${String(number)}.example.com`,
          types: undefined,
        });
    };
    const taken = () => sent.filter((url) => url === receiver.url).length;
    const end = async (delivering: Promise<unknown>): Promise<void> => {
      let isDone = false;
      void delivering.finally(() => (isDone = true));
      await until('all have timed out', () => {
        for (const each of timeOut.splice(0)) each();
        return isDone;
      });
    };

    it('delivers to the others at once, when a few begin to hang', async () => {
      await openWith(15);
      await webhookTo(receiver);
      for (let number = 0; number < 20; number += 1) await addUser();
      const delivering = services.outbox.deliverDue();
      await until('the others have their events', () => taken() === 20 && timeOut.length >= 15);
      expect(timeOut).to.have.lengthOf(15);
      await end(delivering);
    });

    it('keeps half of its attempts for the others, however many hang', async () => {
      await openWith(30);
      await webhookTo(receiver);
      for (let number = 0; number < 20; number += 1) await addUser();
      await end(services.outbox.deliverDue());
      expect(taken()).to.equal(20);
      for (let number = 0; number < 20; number += 1) await addUser();
      now += 10 * second;
      sent = [];
      const delivering = services.outbox.deliverDue();
      await until('the others have their events', () => taken() === 20 && timeOut.length >= 10);
      expect(timeOut).to.have.lengthOf(10);
      await end(delivering);
      expect(new Set(sent)).to.have.lengthOf(31);
    });

    it('sends nothing that has waited for an attempt until another process may have it', async () => {
      await openWith(20);
      await addUser();
      const delivering = services.outbox.deliverDue();
      await until('no attempt is free', () => timeOut.length === 20);
      const { id } = await webhookTo(receiver);
      await addUser();
      const waiting = services.outbox.deliverDue();
      await until('another event waits for one', async () => {
        const [delivery] = (await services.webhooks.listDeliveries(operator, id)).data;
        return delivery !== undefined && delivery.dueAt > clock.now();
      });
      now += 61 * second;
      const [clockNow, offset] = [performance.now.bind(performance), 61 * second];
      performance.now = () => clockNow() + offset;
      try {
        await storage().outbox.claim(id, clock.now(), timestampOf(now + hour), 1);
        await end(Promise.all([delivering, waiting]));
      } finally {
        performance.now = clockNow;
      }
      expect(taken()).to.equal(0);
    });
  });

  it('begins no attempt after one that failed, and lets what was not tried wait for the first delay', async () => {
    await webhookTo(receiver);
    for (let number = 0; number < 10; number += 1) await addUser();
    let sent = 0;
    const send = async () => {
      sent += 1;
      const isSecond = sent === 2;
      // It is redirected, which is a failure; those beside it end after that.
      if (isSecond) await until('five were begun', () => sent === 5);
      else if (sent > 1 && sent <= 5)
        await until('one has failed', () => noted.some((note) => note.startsWith('failed')));
      return isSecond ? 302 : 204;
    };
    const own = createServices(options(storage(), { send }));
    await own.outbox.deliverDue();
    await own.outbox.deliverDue();
    expect(sent).to.equal(5);
    now += 10 * second;
    await own.outbox.deliverDue();
    expect(sent).to.equal(11);
  });

  it('keeps what a receiver took while the process stopped, and blames no receiver for an attempt that was cut off', async () => {
    await webhookTo(receiver);
    await addUser();
    for (const status of [500, 204]) {
      const send = () => (void stopping.outbox.stop(), Promise.resolve(status));
      const stopping = createServices(options(storage(), { send, close: () => undefined }));
      await stopping.outbox.deliverDue();
    }
    expect(noted.map((note) => note.split(' ')[0])).to.deep.equal(['delivered']);
    await deliver(hour);
    expect(receiver.taken).to.deep.equal([]);
  });

  it('delivers more failed events again than one step takes', async () => {
    const { id } = await webhookTo(receiver);
    const user = await addUser();
    for (let number = 1; number <= 500; number += 1) await rename(user, String(number));
    const { outbox } = storage();
    const all = await outbox.listDeliveries(id, { offset: 0, limit: 501 }, 'pending');
    const ids = all.map((each) => each.id);
    await outbox.settle(ids, { status: 'failed', changedAt: clock.now(), answer: '', isAttempt: true });
    expect(await services.webhooks.redeliver(operator, id, undefined)).to.equal(501);
  });

  it('makes more waiting events due for a new address than one step takes', async () => {
    const { id } = await webhookTo(receiver);
    const user = await addUser();
    for (let number = 1; number <= 500; number += 1) await rename(user, String(number));
    const { outbox } = storage();
    const all = () => outbox.listDeliveries(id, { offset: 0, limit: 501 }, 'pending');
    const ids = (await all()).map((each) => each.id);
    await outbox.settle(ids, { dueAt: timestampOf(now + hour) });
    await services.webhooks.update(operator, id, { url: receiver.url, status: undefined });
    expect((await all()).filter(({ dueAt }) => dueAt > clock.now())).to.deep.equal([]);
  });

  it('shares the deliveries between processes, and takes over those of one that ended', async () => {
    await webhookTo(receiver);
    for (let number = 0; number < 30; number += 1) await addUser();
    const other = open(storage());
    await Promise.all([services.outbox.deliverDue(), other.outbox.deliverDue()]);
    expect(receiver.taken).to.have.lengthOf(30);
    expect(new Set(receiver.attempts.values())).to.deep.equal(new Set([1]));

    await addUser();
    const [{ id } = { id: '' }] = await storage().outbox.receivers(clock.now());
    await storage().outbox.claim(id, clock.now(), timestampOf(now + 60 * second), 1);
    await deliver(59 * second);
    expect(receiver.taken).to.have.lengthOf(30);
    await deliver(2 * second);
    expect(receiver.taken).to.have.lengthOf(31);
  });

  it('passes every event to a consumer under its name, and repeats what it did not take', async () => {
    const seen: string[] = [];
    let isBroken = true;
    const consume = (event: object) => {
      if (isBroken) throw new Error('the queue is down');
      seen.push((event as Event).subject);
    };
    await services.outbox.consume('queue', consume);
    const id = await addUser();
    for (let days = 0; days < 4; days += 1) await deliver(24 * hour);
    expect(seen).to.deep.equal([]);
    isBroken = false;
    await deliver(2 * 60 * second);
    expect(seen).to.deep.equal([`user:${id}`]);
    const later = await addUser();
    const restarted = open(storage());
    await restarted.outbox.consume('queue', consume);
    await restarted.outbox.deliverDue();
    expect(seen).to.deep.equal([`user:${id}`, `user:${later}`]);
    const [stored] = (await storage().outbox.receivers()).filter(({ consumer }) => consumer === 'queue');
    const deleting = services.webhooks.delete(operator, stored?.id ?? '').catch(String);
    expect(await deleting, 'a consumer is no webhook').to.equal('ServiceError: Webhook not found');
    await restarted.outbox.forget('queue');
    expect((await storage().outbox.receivers()).filter(({ consumer }) => consumer === 'queue')).to.deep.equal(
      [],
    );
  });

  it('takes a name of a consumer once, and none that is empty', async () => {
    const own = open(storage());
    await own.outbox.consume('queue', () => undefined);
    const faultOf = (name: string) =>
      own.outbox.consume(name, () => undefined).catch((error: unknown) => String(error));
    expect(await faultOf('queue')).to.equal('Error: the consumer queue has been registered already');
    expect(await faultOf('')).to.equal('Error: a consumer of events needs a name');
    await own.outbox.forget('queue');
  });

  it('takes the name of a consumer again that could not be stored', async () => {
    const { outbox } = storage();
    const create = () => Promise.reject(new Error('the store is down'));
    const broken = Object.assign(Object.create(outbox) as typeof outbox, { create, within: () => outbox });
    const own = open({ ...storage(), outbox: broken });
    const consume = () => own.outbox.consume('queue', () => undefined).catch(String);
    expect([await consume(), await consume()]).to.deep.equal(Array(2).fill('Error: the store is down'));
  });

  it('gives a consumer that does not end the event again', async () => {
    let calls = 0;
    const own = open(storage());
    await own.outbox.consume('queue', () => (++calls === 1 ? new Promise(() => undefined) : undefined));
    await addUser();
    const restore = quickenTimers(30_000, 'services/outbox/');
    try {
      await own.outbox.deliverDue();
    } finally {
      restore();
    }
    now += 10 * second;
    await own.outbox.deliverDue();
    expect(calls).to.equal(2);
    await own.outbox.forget('queue');
  });

  it('forgets what was delivered after two weeks', async () => {
    const { id: webhook } = await webhookTo(receiver);
    await addUser();
    await deliver();
    const count = async () => (await services.webhooks.listDeliveries(operator, webhook)).pagination.total;
    now += 13 * 24 * hour;
    await deleteExpired(storage(), clock.now());
    expect(await count()).to.equal(1);
    now += 2 * 24 * hour;
    await deleteExpired(storage(), clock.now());
    expect(await count()).to.equal(0);
  });
});

const input = {
  ...{ name: 'Ada', phone: undefined, city: undefined, password: undefined },
  ...{ role: undefined, status: undefined },
} as const;
