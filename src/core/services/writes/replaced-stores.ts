/** The stores that a team puts in the place of a storage's own: they take part in its transactions, or are refused. */
import type { Stores, Transaction } from '../../ports/storage.js';
import type { KeepsFields } from '../../model/stored.js';
import type { JoiningStore } from '../../ports/transaction.js';

type Replaced = Readonly<Record<string, JoiningStore<unknown>>>;

/** The stores of the storage that its transactions do not have. */
function replacedIn(storage: Partial<Stores>): Replaced {
  const { joined = {} } = storage;
  const given: Readonly<Record<string, unknown>> = { ...storage };
  const others = Object.keys(joined).filter(
    (name) => given[name] !== undefined && given[name] !== joined[name],
  );
  return Object.fromEntries(others.map((name) => [name, given[name] as JoiningStore<unknown>]));
}

/** @throws an error that names a store whose writes would not be part of a transaction */
export function requireJoined(storage: Partial<Stores>): void {
  if (storage.transaction === undefined) return;
  for (const [name, store] of Object.entries(replacedIn(storage)))
    if (typeof store.within !== 'function')
      throw new Error(
        `the store ${name} is not the storage's own, so its writes would not be in the transactions of the storage: ` +
          'give it a method "within", which returns the store in a transaction, or set "transaction" to undefined, ' +
          'without which there are no idempotency keys, events and hooks "after"',
      );
}

/** Runs work in a transaction, with the stores that have replaced others. */
export function inTransaction<T>(
  storage: Stores,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const replaced = Object.entries(replacedIn(storage));
  if (replaced.length === 0) return storage.transaction(work);
  return storage.transaction((transaction) => {
    const own: Record<string, unknown> = {
      ...Object.fromEntries(replaced.map(([name, store]) => [name, store.within(transaction)])),
      transaction: (nested: (whole: Transaction) => Promise<unknown>) =>
        transaction.transaction(() => nested(whole)),
    };
    const whole = new Proxy(transaction, {
      get: (others, name: string) => (Object.hasOwn(own, name) ? own[name] : Reflect.get(others, name)),
    });
    return work(whole);
  });
}

/** A storage in one of its transactions, which has all stores that take part in it. */
export function storageIn({ stored }: KeepsFields, transaction: Transaction): Stores & KeepsFields {
  const own = { stored: { value: stored }, joined: { value: {} } };
  return Object.create(transaction, own) as Stores & KeepsFields;
}
