/** Clients that write to a service until it ends, and remember what was acknowledged, and when. */

import { setTimeout as sleep } from 'node:timers/promises';

export interface Write {
  readonly collection: 'users' | 'orders' | 'posts';
  /** The `Idempotency-Key`; posts have none. */
  readonly key: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** In milliseconds, as `performance.now` has it. */
  readonly startedAt: number;
  /** Both undefined without an acknowledgement. */
  id?: string | undefined;
  acknowledgedAt?: number | undefined;
}

const CLIENTS = 4;

/** The milliseconds between two writes of a client: a short test needs no more. */
const PAUSE = 5;

export class RecordedLoad {
  readonly #url: string;
  readonly #writes: Write[] = [];
  readonly #ended: Promise<unknown>;
  #isOver = false;
  /** Why a client has ended. */
  #fault: unknown;

  /** @param names - unique among the loads of a store */
  constructor(url: string, names: string) {
    this.#url = url;
    const clients = Array.from({ length: CLIENTS }, (_, client) => this.#run(`${names}${String(client)}`));
    this.#ended = Promise.all(
      clients.map((client) => client.catch((fault: unknown) => (this.#fault = fault))),
    );
  }

  /** All writes that were sent. */
  get writes(): readonly Write[] {
    return this.#writes;
  }

  /** The writes that were acknowledged. @param before - only until then */
  acknowledged(before = Infinity): readonly Write[] {
    return this.#writes.filter(({ acknowledgedAt = Infinity }) => acknowledgedAt < before);
  }

  /** Waits until so many more are acknowledged. @throws when a client has ended */
  async more(count: number): Promise<void> {
    const goal = this.acknowledged().length + count;
    while (this.acknowledged().length < goal) {
      if (this.#fault !== undefined) throw new Error('a client has ended', { cause: this.#fault });
      await sleep(PAUSE);
    }
  }

  /** Waits until the clients have ended, because the service is gone or {@link stop} was called. */
  ended(): Promise<unknown> {
    return this.#ended;
  }

  stop(): Promise<unknown> {
    this.#isOver = true;
    return this.#ended;
  }

  async #run(name: string): Promise<void> {
    for (let number = 0; !this.#isOver; number += 1) {
      const key = `${name}-${String(number)}`;
      const user = await this.#send('users', key, { name: 'Ada', email: `${key}@example.com` });
      await this.#send('orders', key, { userId: user, items: [{ name: key, quantity: 2, unitPrice: 1.5 }] });
      await this.#send('posts', key, {
        query:
          'mutation ($id: ID, $title: String!) { createPost(title: $title, content: "C", authorId: $id) { id } }',
        variables: { id: user, title: key },
      });
      await sleep(PAUSE);
    }
  }

  async #send(collection: Write['collection'], key: string, body: Write['body']): Promise<string> {
    const write: Write = { collection, key, body, startedAt: performance.now() };
    this.#writes.push(write);
    const answer = await sendWrite(this.#url, write);
    const { id, data } = (await answer.json()) as {
      readonly id?: string;
      readonly data?: { readonly createPost: { readonly id: string } };
    };
    write.id = id ?? data?.createPost.id;
    if (write.id === undefined) throw new Error(`a write was answered with ${String(answer.status)}`);
    write.acknowledgedAt = performance.now();
    return write.id;
  }
}

/** Sends a write, perhaps again. */
export function sendWrite(url: string, { collection, key, body }: Write): Promise<Response> {
  return fetch(url + (collection === 'posts' ? '/graphql' : `/api/${collection}`), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(collection !== 'posts' && { 'idempotency-key': `${collection}-${key}` }),
    },
    body: JSON.stringify(body),
  });
}
