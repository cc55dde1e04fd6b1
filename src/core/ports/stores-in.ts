/** The stores of a storage as an observer runs their calls, and work in the stores of a transaction. */
import type { KeepsFields } from '../model/stored.js';
import type { DatabaseObserver, Transaction } from './storage.js';
import type { StoreTransaction } from './transaction.js';

/** Runs a method of a store in a transaction. */
type Call<Form = never> = (method: Form, given: readonly unknown[]) => Promise<unknown>;
type ObserveCall = DatabaseObserver['call'];

/** Stores whose calls an observer runs. @param stores - objects with their methods alone */
export function observedStores<Stores extends Record<keyof Stores, object>>(
  stores: Stores,
  observe: ObserveCall,
): Stores {
  if (observe === undefined) return stores;
  const observed = Object.entries<object>(stores).map(([name, store]) => {
    const form = Object.entries<(...given: readonly unknown[]) => Promise<unknown>>({ ...store });
    return [name, storeOf(name, form, (method, given) => method(...given), observe)] as const;
  });
  return Object.fromEntries(observed) as Stores;
}

const KEPT = Symbol('kept');

/**
 * How work is run in transactions, whose stores are made when they are first used: it uses few of them.
 *
 * @param methods - those of all stores, in the form in which the storage runs them
 * @param observe - runs each call
 * @returns a function that throws the error of the work, or of work in a transaction within this one, even if the work has caught that
 */
export function worksIn(methods: Readonly<Record<string, object>>, observe?: ObserveCall) {
  /** It has getters for its stores: to make all of them in each transaction would cost more than a write in memory. */
  class StoresIn {
    // Not private: applications make objects that inherit from a transaction.
    readonly [KEPT]: { readonly call: Call; readonly stores: Record<string, object> };

    constructor(call: Call) {
      this[KEPT] = { call, stores: {} };
    }
  }
  for (const [name, store] of Object.entries(methods)) {
    const form = Object.entries<never>(store as Record<string, never>);
    Object.defineProperty(StoresIn.prototype, name, {
      get(this: StoresIn) {
        const { call, stores } = this[KEPT];
        return (stores[name] ??= storeOf(name, form, call, observe));
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
function storeOf<Form>(
  name: string,
  form: readonly (readonly [name: string, method: Form])[],
  call: Call<Form>,
  observe: ObserveCall,
): object {
  const store: Record<string, unknown> = {};
  for (const [own, method] of form) {
    const run = (...given: unknown[]) => call(method, given);
    store[own] =
      observe === undefined ? run : (...given: unknown[]) => observe(`${name}.${own}`, () => run(...given));
  }
  return store;
}
