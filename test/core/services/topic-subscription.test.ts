/** Events of an application's own topic as an iterator: all of them, until the reader leaves, is too slow, or may have missed one. */

import { expect } from 'chai';
import { subscribeTo } from '../../../src/core/services/posts/bounded-queue.js';
import { memoryEvents } from '../../../src/core/events/memory.js';
import type { EventListener, Events } from '../../../src/core/ports/events.js';

describe('the subscription to a topic', () => {
  /** Events with one listener, which the test calls. */
  function events(): { readonly events: Events<'COUNTED'>; readonly listeners: Set<EventListener> } {
    const listeners = new Set<EventListener>();
    const subscribe = (_topic: string, listener: EventListener) => {
      listeners.add(listener);
      return Promise.resolve(() => void listeners.delete(listener));
    };
    return { events: { ...memoryEvents<'COUNTED'>(), subscribe }, listeners };
  }

  const codeOf = (reading: Promise<unknown>): Promise<unknown> =>
    reading.catch((error: unknown) => (error as { readonly code?: string }).code);

  it('has the later events of the topic in their order, until the reader leaves', async () => {
    const broker = memoryEvents<'COUNTED'>();
    await broker.publish('COUNTED', 'early');
    const ids = await subscribeTo(broker, 'COUNTED');
    for (const id of ['1', '2']) await broker.publish('COUNTED', id);
    await broker.publish('POST_ADDED', '3');
    expect([await ids.next(), await ids.next()].map(({ value }) => value as unknown)).to.deep.equal([
      '1',
      '2',
    ]);
    const waiting = ids.next();
    await ids.return?.();
    expect(await waiting).to.deep.equal({ done: true, value: undefined });
    await broker.close();
  });

  it('leaves the topic with its reader', async () => {
    const { events: broker, listeners } = events();
    const ids = await subscribeTo(broker, 'COUNTED');
    expect(listeners.size).to.equal(1);
    await ids.return?.();
    await Promise.resolve();
    expect(listeners.size).to.equal(0);
  });

  it('fails for a reader that is too slow, and after a lost connection', async () => {
    const { events: broker, listeners } = events();
    const slow = await subscribeTo(broker, 'COUNTED', 2);
    for (const id of ['1', '2']) for (const each of listeners) each.received(id);
    expect((await slow.next()).value).to.equal('1');
    for (const id of ['3', '4']) for (const each of listeners) each.received(id);
    expect(await codeOf(slow.next())).to.equal('limit-exceeded');

    const cut = await subscribeTo(broker, 'COUNTED');
    for (const each of listeners) each.interrupted('2026-01-01T00:00:00.000Z');
    expect(await codeOf(cut.next())).to.equal('unavailable');
    expect(listeners.size).to.equal(0);
  });
});
