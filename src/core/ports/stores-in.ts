/** Work in the stores of a transaction. */
import type { KeepsFields } from '../model/stored.js';
import type { Transaction } from './storage.js';
import type { StoreTransaction } from './transaction.js';

/**
 * Runs work in a transaction, whose stores are made when they are first used: it uses few of them.
 *
 * @param methods - those of all stores, in the form in which the storage runs them
 * @param call - runs a method in the transaction
 * @throws the error of the work, or of work in a transaction within this one, even if the work has caught that
 */
export async function workIn<T>(
  methods: Readonly<Record<string, object>>,
  call: (method: never, given: readonly unknown[]) => Promise<unknown>,
  own: StoreTransaction & KeepsFields,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
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
  const forms = methods as Readonly<Record<string, Readonly<Record<string, never>>>>;
  const storeOf = (name: string) => {
    const store = forms[name];
    if (store === undefined) return undefined;
    const answering = Object.entries(store).map(([each, method]) => [
      each,
      (...given: unknown[]) => call(method, given),
    ]);
    return Object.fromEntries(answering) as unknown;
  };
  const transaction = new Proxy(made, {
    get: (known, name: string) => (known[name] ??= storeOf(name)),
    has: (known, name: string) => name in known || name in forms,
  }) as unknown as Transaction;
  const outcome = await work(transaction);
  await Promise.all(inner);
  return outcome;
}
