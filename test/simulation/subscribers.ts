/** Subscribers of new posts over server-sent events: they read, leave, and come back for what they have missed. */

import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { type Call, Fault } from './calls.js';
import { type Model, sorted } from './model.js';
import { nobody } from './actions/senders.js';
import type { World } from './world.js';

export interface Subscriber {
  /** The last post before it came. */
  readonly after: number;
  readonly received: number[];
  leave: (() => Promise<void>) | undefined;
}

export class Subscribers {
  readonly #all: Subscriber[] = [];

  constructor(private readonly world: Pick<World, 'fetch'>) {}

  async join(model: Model, instance: number): Promise<void> {
    const subscriber: Subscriber = { after: model.last['post'] ?? 0, received: [], leave: undefined };
    this.#all.push(subscriber);
    await this.open(subscriber, model, instance);
  }

  /** One that is there leaves. */
  async leave(index: number): Promise<void> {
    const there = this.#all.filter(({ leave }) => leave !== undefined);
    const subscriber = there[index % Math.max(1, there.length)];
    await subscriber?.leave?.();
    if (subscriber !== undefined) subscriber.leave = undefined;
  }

  async leaveAll(): Promise<void> {
    for (const subscriber of this.#all) {
      await subscriber.leave?.();
      subscriber.leave = undefined;
    }
  }

  /** Those that have left come back. */
  async comeBack(model: Model, instance: number): Promise<void> {
    for (const subscriber of this.#all) {
      if (subscriber.leave === undefined) await this.open(subscriber, model, instance);
    }
  }

  /** Subscribes to what it has not got yet. */
  protected async open(subscriber: Subscriber, model: Model, instance: number): Promise<void> {
    const last = String(subscriber.received.at(-1) ?? subscriber.after);
    const call: Call = {
      method: 'POST',
      path: '/graphql',
      sender: nobody,
      headers: { accept: 'text/event-stream', 'last-event-id': last },
      body: { query: 'subscription { postAdded { id title author { id } } }' },
    };
    const response = await this.world.fetch(call, model, instance);
    if (response.status !== 200 || response.body === null) {
      throw new Fault(`a subscription was answered ${String(response.status)}`);
    }
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const decoder = new TextDecoder();
    let text = '';
    const read = async (): Promise<void> => {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        text += decoder.decode(value, { stream: true });
        for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
          const event = text.slice(0, end);
          text = text.slice(end + 2);
          const id = /"postAdded":\{"id":"([0-9]+)"/.exec(event)?.[1];
          if (id !== undefined) subscriber.received.push(Number(id));
          // What could not be read of a post is lost with it: the client asks for it again.
          else if (event.includes('"errors"')) {
            await reader.cancel();
            return;
          }
        }
      }
    };
    // The service ends the streams of subscribers that it cannot serve on; they come back.
    const ended = (): void => {
      subscriber.leave = undefined;
    };
    const reading = read().then(ended, ended);
    subscriber.leave = async () => {
      await reader.cancel();
      await reading;
    };
    await turn();
  }

  /** @throws {@link Fault} unless each subscriber has got each post since it came, once and in order */
  async check(model: Model): Promise<void> {
    await this.comeBack(model, 0);
    const missing = (): string | undefined => {
      for (const { received, after } of this.#all) {
        const due = sorted(model.posts)
          .map(({ id }) => Number(id))
          .filter((id) => id > after && !received.includes(id));
        if (due.length > 0) return `a subscriber since post ${String(after)} did not get ${due.join(', ')}`;
      }
      return undefined;
    };
    // After an outage the feed pauses for a time of the machine's own clock.
    for (let waits = 0; missing() !== undefined && waits < 400; waits += 1) {
      await sleep(10);
      await this.comeBack(model, 0);
    }
    const fault = missing();
    if (fault !== undefined) throw new Fault(fault);
    for (const { received } of this.#all) {
      const isInOrder = received.every((id, index) => index === 0 || id > (received[index - 1] ?? 0));
      if (!isInOrder) throw new Fault(`a subscriber got the posts ${received.join(', ')}`);
    }
  }

  async close(): Promise<void> {
    await this.leaveAll();
    this.#all.length = 0;
  }
}
