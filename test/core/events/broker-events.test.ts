/** Tests of events over a broker that need no real broker. */
import { mock } from 'node:test';
import { expect } from 'chai';
import {
  type BrokerConnection,
  BrokerEvents,
  type ConnectionHandlers,
} from '../../../src/core/events/broker-events.js';
import { ServiceError } from '../../../src/core/model/error.js';
import { until } from '../../support/until.js';

/** A connection that accepts everything, and receives nothing: as through a pooler that does not keep subscriptions. */
const deaf: BrokerConnection = {
  listen: () => Promise.resolve(),
  publish: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

describe('BrokerEvents', () => {
  it('fails its ping when events are accepted but not received', async () => {
    const events = await BrokerEvents.open(() => Promise.resolve(deaf), { patienceMs: 50 });
    const failure = await events.ping().catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(ServiceError).and.to.include({ code: 'unavailable' });
    await events.close();
  });

  it('reports why it cannot connect again, while it is not connected', async () => {
    const server = { host: 'events.example', port: 6379 };
    let lose: ConnectionHandlers['lost'] = () => undefined;
    let isFirst = true;
    const events = await BrokerEvents.open(
      ({ lost }) => {
        if (!isFirst) return Promise.reject(new Error('nothing listens'));
        [isFirst, lose] = [false, lost];
        return Promise.resolve(deaf);
      },
      { server },
    );
    lose(new Error('gone'));
    const causeOf = async (): Promise<unknown> =>
      await events.publish('POST_ADDED', '1').catch((error: unknown) => (error as Error).cause);
    expect(await causeOf()).to.include({ message: 'gone', ...server });
    await until('it has tried again', async () => ((await causeOf()) as Error).message === 'nothing listens');
    expect(await causeOf()).to.include(server);
    await events.close();
  });

  it('asks the broker again for a topic that it has refused', async () => {
    let refusals = 0;
    const hesitant: BrokerConnection = {
      ...deaf,
      listen: (topic) =>
        topic === 'POST_ADDED' && refusals++ === 0 ? Promise.reject(new Error('not now')) : Promise.resolve(),
    };
    const events = await BrokerEvents.open(() => Promise.resolve(hesitant), {});
    const listener = { received: () => undefined, interrupted: () => undefined };
    const failure = await events.subscribe('POST_ADDED', listener).catch((error: unknown) => error);
    expect(failure).to.include({ code: 'unavailable' });
    await events.subscribe('POST_ADDED', listener);
    await events.close();
  });

  it('doubles the pause before each attempt to connect again, and makes it random', async () => {
    const attempts: number[] = [];
    let lose: ConnectionHandlers['lost'] = () => undefined;
    const events = await BrokerEvents.open(({ lost }) => {
      if (attempts.push(performance.now()) > 1) return Promise.reject(new Error('nothing listens'));
      lose = lost;
      return Promise.resolve(deaf);
    }, {});
    // Beyond all random numbers, so that these pauses are longer than any that is not random.
    const random = mock.method(Math, 'random', () => 2);
    attempts[0] = performance.now();
    lose(new Error('gone'));
    await until('it has tried twice', () => attempts.length > 2);
    random.mock.restore();
    await events.close();
    // A timer may fire a millisecond early.
    for (const [index, least] of [149, 299].entries())
      expect((attempts[index + 1] ?? 0) - (attempts[index] ?? 0)).to.be.at.least(least);
  });
});
