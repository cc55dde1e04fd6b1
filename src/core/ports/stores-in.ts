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
  const forms = new Map(
    Object.entries(methods).map(([name, store]) => [
      name,
      Object.entries<never>(store as Record<string, never>),
    ]),
  );
  return async <T>(
    call: Call,
    own: StoreTransaction & KeepsFields,
    work: (transaction: Transaction) => Promise<T>,
  ): Promise<T> => {
    const inner: Promise<unknown>[] = [];
    const made: Record<string, unknown> = {
      ...own,
      transaction: (nested: (transaction: Transaction) => Promise<unknown>) => {
        const outcome = nested(transaction);
        outcome.catch(() => undefined); // it is thrown below, also if the work ignores it
        inner.push(outcome);
        return outcome;
      },
    };
    const storeOf = (name: string) => {
      const form = forms.get(name);
      if (form === undefined) return undefined;
      const store: Record<string, unknown> = {};
      for (const [each, method] of form) store[each] = (...given: unknown[]) => call(method, given);
      return store;
    };
    const transaction = new Proxy(made, {
      get: (known, name: string) => (known[name] ??= storeOf(name)),
      has: (known, name: string) => name in known || forms.has(name),
    }) as unknown as Transaction;
    const outcome = await work(transaction);
    if (inner.length > 0) await Promise.all(inner);
    return outcome;
  };
}
