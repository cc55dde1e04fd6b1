/** The checks that an events adapter must pass: every rule of the events port that is visible in one process. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../model/error.js';
import type { EventListener, Events } from '../ports/events.js';
import { checks } from './check.js';

const topic = 'POST_ADDED';

const patienceMs = 10_000;

/** A listener that records its events, for checks that wait for them. */
export class Recorder implements EventListener {
  readonly ids: string[] = [];
  readonly interruptions: string[] = [];

  readonly received = (id: string): void => void this.ids.push(id);
  readonly interrupted = (since: string): void => void this.interruptions.push(since);

  /** Waits for an event. @throws AssertionError when it is not received within ten seconds */
  async meet(id: string): Promise<void> {
    const deadline = Date.now() + patienceMs;
    while (!this.ids.includes(id)) {
      assert.ok(Date.now() < deadline, `${id} is received; up to now there is ${JSON.stringify(this.ids)}`);
      await sleep(5);
    }
  }
}

/**
 * All checks, to be run by any test runner. Other processes may use the same broker at the same time, but must not publish.
 *
 * @example
 * ```ts
 * for (const check of eventsChecks) {
 *   it(`${check.level} ${check.id}: ${check.name}`, () => check.run(() => redisEvents({ url })));
 * }
 * ```
 */
export const eventsChecks = checks<Events>({
  'events-ping: ping resolves while the events are open': (events) => events.ping(),

  'events-closed: once closed, every method rejects with unavailable': async (events) => {
    await events.close();
    // One after another: a promise that rejects while another is awaited would be an unhandled rejection.
    const calls = [
      () => events.ping(),
      () => events.publish(topic, '1'),
      () => events.subscribe(topic, new Recorder()),
    ];
    for (const call of calls) {
      await assert.rejects(call, (error) => error instanceof ServiceError && error.code === 'unavailable');
    }
  },

  'events-close-twice: closing twice is closing once': async (events) => {
    await events.close();
    await events.close();
  },

  'events-close-silences: a listener is not called after close': async (events) => {
    const listener = new Recorder();
    await events.subscribe(topic, listener);
    await events.publish(topic, '1');
    await listener.meet('1');
    await events.close();
    assert.deepEqual(listener.ids, ['1']);
  },

  'events-nobody: an event without listeners can be published': async (events) => {
    await events.publish(topic, '1');
  },

  'events-from-now-on: a listener receives the events published after it subscribed, and none from before':
    async (events) => {
      await events.publish(topic, '1');
      const listener = new Recorder();
      await events.subscribe(topic, listener);
      await events.publish(topic, '2');
      await listener.meet('2');
      assert.deepEqual(listener.ids, ['2']);
    },

  'events-order: every event is received once, in the order of publishing, even when the publisher does not await':
    async (events) => {
      const listener = new Recorder();
      await events.subscribe(topic, listener);
      const ids = Array.from({ length: 500 }, (_, index) => String(index + 1));
      await Promise.all(ids.map((id) => events.publish(topic, id)));
      await events.publish(topic, 'last');
      await listener.meet('last');
      assert.deepEqual(listener.ids, [...ids, 'last']);
    },

  'events-repeated: an id that is published twice is two events': async (events) => {
    const listener = new Recorder();
    await events.subscribe(topic, listener);
    await Promise.all(['1', '1', '2'].map((id) => events.publish(topic, id)));
    await listener.meet('2');
    assert.deepEqual(listener.ids, ['1', '1', '2']);
  },

  'events-fan-out: each of many listeners receives every event once, in any order of subscribing': async (
    events,
  ) => {
    const listeners = Array.from({ length: 50 }, () => new Recorder());
    await Promise.all(listeners.map((listener) => events.subscribe(topic, listener)));
    for (const id of ['1', '2', '3']) await events.publish(topic, id);
    for (const listener of listeners) {
      await listener.meet('3');
      assert.deepEqual(listener.ids, ['1', '2', '3']);
    }
  },

  'events-unsubscribe: a listener that unsubscribed receives no more events, and the others still do; unsubscribing twice is harmless':
    async (events) => {
      const [leaving, staying, again] = [new Recorder(), new Recorder(), new Recorder()];
      const leave = await events.subscribe(topic, leaving);
      await events.subscribe(topic, staying);
      await events.publish(topic, '1');
      await leaving.meet('1');
      leave();
      leave();
      await events.subscribe(topic, again);
      await events.publish(topic, '2');
      await Promise.all([staying.meet('2'), again.meet('2')]);
      assert.deepEqual([leaving.ids, staying.ids, again.ids], [['1'], ['1', '2'], ['2']]);
    },

  'events-same-listener: a listener that subscribes twice receives every event twice, and once after one subscription ends':
    async (events) => {
      const listener = new Recorder();
      const end = await events.subscribe(topic, listener);
      await events.subscribe(topic, listener);
      await events.publish(topic, '1');
      await listener.meet('1');
      end();
      await events.publish(topic, '2');
      await listener.meet('2');
      assert.deepEqual(listener.ids, ['1', '1', '2']);
    },

  'events-leave-while-told: listeners may be added and removed while an event is received': async (
    events,
  ) => {
    const [leaving, staying] = [new Recorder(), new Recorder()];
    const leave: { now?: () => void } = {};
    const received = (id: string): void => {
      leaving.received(id);
      leave.now?.();
    };
    leave.now = await events.subscribe(topic, { received, interrupted: leaving.interrupted });
    await events.subscribe(topic, staying);
    await events.publish(topic, '1');
    await events.publish(topic, '2');
    await staying.meet('2');
    assert.deepEqual([leaving.ids, staying.ids], [['1'], ['1', '2']]);
  },
});
