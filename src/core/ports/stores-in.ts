/** Work in the stores of a transaction. */
import type { KeepsFields } from '../model/stored.js';
import type { Transaction } from './storage.js';
import type { StoreTransaction } from './transaction.js';

/** Runs a method of a store in a transaction. */
type Call = (method: never, given: readonly unknown[]) => Promise<unknown>;

const KEPT = Symbol('kept');

/** What a transaction keeps for the getters of its stores. */
interface Kept {
  readonly call: Call;
  readonly stores: Record<string, object>;
}

/**
 * How work is run in transactions, whose stores are made when they are first used: it uses few of them.
 *
 * @param methods - those of all stores, in the form in which the storage runs them
 * @returns a function that throws the error of the work, or of work in a transaction within this one, even if the work has caught that
 */
export function worksIn(methods: Readonly<Record<string, object>>) {
  /** It has getters for its stores: to make all of them in each transaction would cost more than a write in memory. */
  class StoresIn {
    // Not private: applications make objects that inherit from a transaction.
    readonly [KEPT]: Kept;

    constructor(call: Call) {
      this[KEPT] = { call, stores: {} };
    }
  }
  for (const [name, store] of Object.entries(methods)) {
    const form = Object.entries<never>(store as Record<string, never>);
    Object.defineProperty(StoresIn.prototype, name, {
      get(this: StoresIn) {
        const { call, stores } = this[KEPT];
        return (stores[name] ??= storeOf(form, call));
      },
    });
  }
  return async <T>(
    call: Call,
    own: StoreTransaction & KeepsFields,
    work: (transaction: Transaction) => Promise<T>,
  ): Promise<T> => {
    const inner: Promise<unknown>[] = [];
    const begin = (nested: (transaction: Transaction) => Promise<unknown>) => {
      const outcome = nested(transaction);
      outcome.catch(() => undefined); // it is thrown below, also if the work ignores it
      inner.push(outcome);
      return outcome;
    };
    const stores = Object.assign(new StoresIn(call), own, { transaction: begin });
    const transaction = stores as unknown as Transaction;
    const outcome = await work(transaction);
    if (inner.length > 0) await Promise.all(inner);
    return outcome;
  };
}

/** Applications copy a store to replace some of its methods, so these are its own. */
function storeOf(form: readonly (readonly [name: string, method: never])[], call: Call): object {
  const store: Record<string, unknown> = {};
  for (const [name, method] of form) store[name] = (...given: unknown[]) => call(method, given);
  return store;
}
