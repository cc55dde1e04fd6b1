/** A store whose calls take some turns of the event loop, and that stops answering in the middle of a request. */

import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { ServiceError, type Storage, type Transaction } from '@concordat/core';
import type { Random } from '../random.js';

type Method = (...given: unknown[]) => Promise<unknown>;
type Wrap = (method: Method, given: readonly unknown[]) => Promise<unknown>;

export class SlowStore {
  /** The calls until the store stops answering. */
  #left = Infinity;
  /** The most turns that a call takes. */
  turns = 0;

  constructor(private readonly random: Random) {}

  /** Whether it stops by not answering, until the caller's patience ends, and not by refusing. */
  #hangs = false;
  /** The transactions until the answer to one is lost. */
  #kept = Infinity;

  #calls = 0;
  #hasFailed = false;

  /** @returns how often it was called since it was asked last */
  takeCalls(): number {
    const calls = this.#calls;
    this.#calls = 0;
    return calls;
  }

  /** Ends an outage, of which the step still learns. */
  answerAgain(): void {
    this.#hasFailed ||= this.#left < 0;
    this.#left = Infinity;
    this.#kept = Infinity;
  }

  /** Lets the store answer so many calls more. */
  stopAfter(calls: number, hangs: boolean): void {
    this.#left = calls;
    this.#hangs = hangs;
  }

  /** Carries out a transaction after so many, and does not say so. */
  loseAnswerAfter(transactions: number): void {
    this.#kept = transactions;
  }

  /** Whether a call was refused since the store was to stop. @returns also lets it answer again */
  heal(): boolean {
    this.answerAgain();
    const hasFailed = this.#hasFailed;
    this.#hasFailed = false;
    return hasFailed;
  }

  wrap(storage: Storage): Storage {
    const transaction: Storage['transaction'] = async (work) => {
      await this.#before();
      const outcome = await storage.transaction((inner) => work(this.#within(inner)));
      this.#kept -= 1;
      if (this.#kept < 0) throw new ServiceError('outcome-unknown', 'The answer of the store was lost');
      return outcome;
    };
    return { ...storage, ...this.#stores(storage), transaction, joined: {} };
  }

  #within(inner: Transaction): Transaction {
    const own: PropertyDescriptorMap = { transaction: { value: this.#nested(inner) } };
    for (const [name, value] of Object.entries(this.#stores(inner))) own[name] = { value };
    return Object.create(inner, own) as Transaction;
  }

  #nested(inner: Transaction): Transaction['transaction'] {
    return (work) => inner.transaction((nested) => work(this.#within(nested)));
  }

  #stores(stores: Storage | Transaction): Partial<Storage> {
    const names = ['users', 'externalIdentities', 'posts', 'orders', 'products', 'comments'] as const;
    const others = ['refreshTokens', 'apiKeys', 'idempotency', 'audit', 'outbox'] as const;
    const wrap: Wrap = async (method, given) => {
      await this.#before();
      return method(...given);
    };
    return Object.fromEntries([...names, ...others].map((name) => [name, wrapped(stores[name], wrap)]));
  }

  async #before(): Promise<void> {
    this.#calls += 1;
    if (this.turns > 0) for (let left = this.random.whole(0, this.turns); left > 0; left -= 1) await turn();
    if (this.#left <= 0) {
      this.#left = -1;
      if (this.#hangs) await sleep(10_000, undefined, { ref: false });
      // A call that hangs may fail when the store has healed, and what shares it fails with it.
      this.#hasFailed = true;
      throw new ServiceError('unavailable', 'The store does not answer');
    }
    this.#left -= 1;
  }
}

function wrapped(store: object, wrap: Wrap): object {
  const methods: Record<string, unknown> = {};
  for (const [name, method] of Object.entries(store)) {
    methods[name] =
      typeof method === 'function'
        ? (...given: unknown[]) => wrap((method as Method).bind(store), given)
        : (method as unknown);
  }
  return methods;
}
