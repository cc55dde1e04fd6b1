/** Tests of events over a broker beyond the conformance suite: several processes, and a broker that goes down. */
import { expect } from 'chai';
import type { BrokerEventsOptions } from '../../../src/core/events/broker-events.js';
import { eventsChecks, Recorder } from '../../../src/core/conformance/events.js';
import { ServiceError } from '../../../src/core/model/error.js';
import { timestampOf } from '../../../src/core/model/timestamp.js';
import type { Events } from '../../../src/core/ports/events.js';
import { until } from '../../support/until.js';
import { testTopics } from './topics.js';

/** A broker of the suite's own: it is killed. */
export interface Broker {
  start(): Promise<void>;
  open(options?: BrokerEventsOptions): Promise<Events<'STOCK_COUNTED'>>;
  /** How many connections the broker counts, of those that listen and those that do not. */
  connections(): Promise<number>;
  kill(): Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const topic = 'POST_ADDED';

/** @param connections how many a process has */
export function testBroker(broker: Broker, connections: number): void {
  before(async () => {
    await broker.start();
  });
  after(() => broker.stop());

  for (const check of eventsChecks) {
    it(`${check.level} ${check.id}: ${check.name}`, () => check.run(() => broker.open()));
  }

  testTopics(() => broker.open());

  it(`has ${String(connections)} connection(s), however many listen and publish`, async () => {
    await until('the connections of other tests are gone', async () => (await broker.connections()) === 0);
    const events = await broker.open();
    await Promise.all(Array.from({ length: 20 }, () => events.subscribe(topic, new Recorder())));
    await Promise.all(Array.from({ length: 20 }, (_, index) => events.publish(topic, String(index))));
    expect(await broker.connections()).to.equal(connections);
    await events.close();
  });

  it('takes events from any process to every process, in one order, once each', async () => {
    const processes = [await broker.open(), await broker.open(), await broker.open()] as const;
    const listeners = await Promise.all(
      processes.map(async (events) => {
        const listener = new Recorder();
        await events.subscribe(topic, listener);
        return listener;
      }),
    );
    const ids = Array.from({ length: 300 }, (_, index) => String(index));
    await Promise.all(ids.map((id, index) => (processes[index % 3] ?? processes[0]).publish(topic, id)));
    await processes[0].publish(topic, 'last');
    for (const listener of listeners) await listener.meet('last');
    const [first, ...others] = listeners.map((listener) => listener.ids);
    expect(first?.toSorted()).to.deep.equal([...ids, 'last'].toSorted());
    for (const other of others) expect(other).to.deep.equal(first);
    for (const third of [0, 1, 2]) {
      const published = ids.filter((_, index) => index % 3 === third);
      const received = first?.filter((id) => published.includes(id));
      expect(received, 'the order of one publisher').to.deep.equal(published);
    }
    await Promise.all(processes.map((events) => events.close()));
  });

  it('says unavailable while the broker is away, and makes good for it when it is back', async () => {
    const told: string[] = [];
    const observer = {
      lost: (): void => void told.push('lost'),
      restored: (since: string): void => void told.push(since),
    };
    const events = await broker.open({ observer });
    const other = await broker.open();
    const listener = new Recorder();
    await events.subscribe(topic, listener);
    await events.publish(topic, '1');
    await listener.meet('1');
    const before = timestampOf(Date.now());

    await broker.kill();
    await until('the loss is told', () => told.length === 1);
    for (const call of [events.ping(), events.publish(topic, '2'), events.subscribe(topic, listener)]) {
      const error: unknown = await call.then(
        () => 'done',
        (reason: unknown) => reason,
      );
      expect(error).to.be.instanceOf(ServiceError).and.to.include({ code: 'unavailable' });
    }
    await broker.restart();
    await until('both are connected again', async () => {
      const pings = await Promise.allSettled([events.ping(), other.ping()]);
      return pings.every(({ status }) => status === 'fulfilled');
    });

    await listener.meet('2'); // nobody could be told of it then
    await other.publish(topic, '3');
    await listener.meet('3');
    expect(listener.ids).to.deep.equal(['1', '2', '3']);
    expect(told).to.have.lengthOf(2);
    expect(told[0]).to.equal('lost');
    expect(listener.interruptions).to.deep.equal([told[1]]);
    expect(told[1] && told[1] <= before, 'from when the connection was last known to work').to.equal(true);
    await Promise.all([events.close(), other.close()]);
  });

  it('can be closed while the broker is away, and refuses to open', async () => {
    const events = await broker.open();
    await broker.kill();
    await until('the loss is noticed', async () => {
      return await events.ping().then(
        () => false,
        () => true,
      );
    });
    await events.close();
    const error: unknown = await broker.open().catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(ServiceError).and.to.include({ code: 'unavailable' });
    await broker.restart();
  });
}
