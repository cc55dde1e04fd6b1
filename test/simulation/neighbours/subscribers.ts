/** Subscribers of new posts over server-sent events: they read, stall, leave, and come back for what they have missed. */

import { type Call, Fault } from '../calls.js';
import { type Model, type Sender, byId, isAfter, sorted } from '../model.js';
import { drawId, drawSender } from '../actions/senders.js';
import type { Random } from '../random.js';

/** What subscribers need of their world. */
interface Surroundings {
  fetch(call: Call, model: Model, instance: number): Promise<Response>;
  /** @returns `late` for an answer that has not come when it must have */
  answered<T>(promise: Promise<T>): Promise<T | 'late'>;
  /** Lets so much time pass, in milliseconds. */
  pass(ms: number): Promise<void>;
}

export interface Subscriber {
  readonly sender: Sender;
  /** Of whose posts; of all unless given. */
  readonly authorId: string | undefined;
  /** Whether it says as an argument what it has, and not as a header. */
  readonly saysSince: boolean;
  /** The last post before it came. */
  readonly after: string;
  readonly received: string[];
  leave: (() => Promise<void>) | undefined;
  /** Lets it read again, if it has stalled. */
  goOn: (() => void) | undefined;
  stalled: Promise<void> | undefined;
}

export class Subscribers {
  readonly #all: Subscriber[] = [];

  constructor(private readonly world: Surroundings) {}

  async join(model: Model, random: Random): Promise<void> {
    const subscriber: Subscriber = {
      sender: drawSender(random, model),
      authorId: random.chance(0.2) ? drawId(random, model.users, model.last['user']) : undefined,
      saysSince: random.chance(0.3),
      after: model.last['post'] ?? '0',
      received: [],
      leave: undefined,
      goOn: undefined,
      stalled: undefined,
    };
    this.#all.push(subscriber);
    await this.open(subscriber, model, random.whole(0, 9));
  }

  get #present(): Subscriber[] {
    return this.#all.filter(({ leave }) => leave !== undefined);
  }

  /** One that is there leaves. */
  async leave(random: Random): Promise<void> {
    const subscriber = random.pick(this.#present);
    subscriber?.goOn?.();
    await subscriber?.leave?.();
    if (subscriber !== undefined) subscriber.leave = undefined;
  }

  /** One that is there reads no more, for now. */
  stall(random: Random): void {
    const subscriber = random.pick(this.#present);
    if (subscriber !== undefined && subscriber.goOn === undefined) this.pause(subscriber);
  }

  /** Makes one read no more until its `goOn`. */
  protected pause(subscriber: Subscriber): void {
    subscriber.stalled = new Promise((resolve) => {
      subscriber.goOn = () => {
        subscriber.stalled = undefined;
        subscriber.goOn = undefined;
        resolve();
      };
    });
  }

  /** Those that have stalled read on. */
  resume(): void {
    for (const { goOn } of this.#all) goOn?.();
  }

  /** Those that have left come back, and those that have stalled read on. */
  async comeBack(model: Model, instance: number): Promise<void> {
    this.resume();
    for (const subscriber of this.#all)
      if (subscriber.leave === undefined) await this.open(subscriber, model, instance);
  }

  /** Subscribes to what one has not got yet. */
  protected async open(subscriber: Subscriber, model: Model, instance: number): Promise<void> {
    const { authorId, saysSince, sender } = subscriber;
    const last = lastOf(subscriber);
    const call: Call = {
      method: 'POST',
      path: '/graphql',
      sender,
      headers: { accept: 'text/event-stream', ...(!saysSince && { 'last-event-id': last }) },
      body: subscriptionTo(authorId, saysSince ? last : undefined),
    };
    const response = await this.world.answered(this.world.fetch(call, model, instance));
    if (response === 'late') throw new Fault('a subscription was not answered');
    if (response.status === 503) return;
    if (response.status !== 200 || response.body === null)
      throw new Fault(`a subscription was answered ${String(response.status)}`);
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const decoder = new TextDecoder();
    let text = '';
    const read = async (): Promise<void> => {
      for (;;) {
        await subscriber.stalled;
        const { done, value } = await reader.read();
        if (done) return;
        text += decoder.decode(value, { stream: true });
        for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
          const event = text.slice(0, end);
          text = text.slice(end + 2);
          const id = /"postAdded":\{"id":"([0-9]+)"/.exec(event)?.[1];
          if (id !== undefined) subscriber.received.push(id);
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
      // The service may have broken it off.
      await reader.cancel().catch(() => undefined);
      await reading;
    };
    await this.world.pass(0);
  }

  /** @throws {@link Fault} unless each subscriber has got each post that it may see since it came, once and in order */
  async check(model: Model): Promise<void> {
    await this.comeBack(model, 0);
    const missing = (): string | undefined => {
      for (const { received, after, authorId } of this.#all) {
        const has = new Set(received);
        const due = sorted(model.posts)
          .filter((post) => isAfter(post.id, after) && (authorId ?? post.authorId) === post.authorId)
          .filter(({ id }) => !has.has(id));
        if (due.length > 0)
          return `a subscriber since post ${after} did not get ${due.map(({ id }) => id).join(', ')}`;
      }
      return undefined;
    };
    // After an outage the feed pauses, and a stream that ends says so only when the client has read it.
    for (let waits = 0; missing() !== undefined && waits < 60; waits += 1) {
      await this.world.pass(1_000);
      await this.comeBack(model, 0);
    }
    const fault = missing();
    if (fault !== undefined) throw new Fault(fault);
    for (const { received, after } of this.#all) {
      const isInOrder = received.every((id, index) => byId(id, received[index - 1] ?? after) > 0);
      if (!isInOrder)
        throw new Fault(`a subscriber since post ${after} got the posts ${received.join(', ')}`);
      const other = received.find((id) => !model.written.has(`post.created post:${id}`));
      if (other !== undefined) throw new Fault(`a subscriber got post ${other}, which was not stored`);
    }
  }

  async leaveAll(): Promise<void> {
    this.resume();
    for (const subscriber of this.#all) {
      await subscriber.leave?.();
      subscriber.leave = undefined;
    }
  }

  async close(): Promise<void> {
    await this.leaveAll();
    this.#all.length = 0;
  }
}

/** The last post that one has. */
export const lastOf = ({ received, after }: Subscriber): string => received.at(-1) ?? after;

/** The payload of a subscription to the posts of an author, or of all, after one. */
export const subscriptionTo = (authorId: string | undefined, since: string | undefined) => ({
  query: `subscription ($since: ID, $authorId: ID) {
    postAdded(since: $since, authorId: $authorId) { id title author { id } }
  }`,
  variables: { ...(since !== undefined && { since }), ...(authorId !== undefined && { authorId }) },
});
