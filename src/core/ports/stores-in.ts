/** Work in the stores of a transaction. */
import type { KeepsFields } from '../model/stored.js';
import type { Transaction } from './storage.js';
import type { StoreTransaction } from './transaction.js';

/** Runs a method of a store in a transaction. */
type Call = (method: never, given: readonly unknown[]) => Promise<unknown>;

/**
 * How work is run in transactions, whose stores are made when they are first used: it uses few of them.
 *
 * @param methods - those of all stores, in the form in which the storage runs them
 * @returns a function that throws the error of the work, or of work in a transaction within this one, even if the work has caught that
 */
export function worksIn(methods: Readonly<Record<string, object>>) {
  /** A transaction has a getter for each store, because one that is made for every transaction would cost more than a write in memory. */
  class StoresIn {
    readonly call: Call;

    constructor(call: Call, own: object) {
      this.call = call;
      Object.assign(this, own);
    }
  }
  for (const [name, store] of Object.entries(methods)) {
    const form = Object.entries<never>(store as Record<string, never>);
    Object.defineProperty(StoresIn.prototype, name, {
      get(this: StoresIn) {
        const { call } = this;
        // Applications copy a store to replace some of its methods, so these are its own.
        const made: Record<string, unknown> = {};
        for (const [each, method] of form) made[each] = (...given: unknown[]) => call(method, given);
        return made;
      },
    });
  }
  return async <T>(
    call: Call,
    own: StoreTransaction & KeepsFields,
    work: (transaction: Transaction) => Promise<T>,
  ): Promise<T> => {
    let inner: Promise<unknown>[] | undefined;
    const begin = (nested: (transaction: Transaction) => Promise<unknown>) => {
      const outcome = nested(transaction);
      outcome.catch(() => undefined); // it is thrown below, also if the work ignores it
      (inner ??= []).push(outcome);
      return outcome;
    };
    const transaction = new StoresIn(call, { ...own, transaction: begin }) as unknown as Transaction;
    const outcome = await work(transaction);
    if (inner !== undefined) await Promise.all(inner);
    return outcome;
  };
}
